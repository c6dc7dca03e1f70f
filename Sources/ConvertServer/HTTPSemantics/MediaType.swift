import Text

/// A media type with its parameters, as in Content-Type and Accept (RFC 9110 §8.3.1). Names are in lower case.
package struct MediaType: Sendable, Hashable {
    package struct Parameter: Sendable, Hashable {
        /// In lower case.
        package let name: String
        package let value: String
    }

    package let type: String
    package let subtype: String
    package let parameters: [Parameter]

    /// Reads `type/subtype *( OWS ";" OWS [ name "=" ( token / quoted-string ) ] )`; nil for anything else.
    package init?(_ text: some StringProtocol) {
        var reader = FieldReader(text)
        guard let type = reader.token(), reader.skip(ASCII.slash), let subtype = reader.token() else { return nil }
        self.type = Self.name(type)
        self.subtype = Self.name(subtype)
        guard let parameters = Parameter.list(&reader) else { return nil }
        self.parameters = parameters
    }

    package var essence: String { "\(type)/\(subtype)" }

    /// The value of the first parameter with this name.
    package subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    fileprivate static func name(_ token: ArraySlice<UInt8>) -> String {
        String(decoding: token, as: UTF8.self).lowercased()
    }
}

extension MediaType.Parameter {
    /// The parameters up to the field's end; nil for anything else.
    static func list(_ reader: inout FieldReader) -> [Self]? {
        var parameters: [Self] = []
        let isWhole = reader.parameters { name, value in
            parameters.append(Self(name: MediaType.name(name), value: String(decoding: value, as: UTF8.self)))
        }
        return isWhole ? parameters : nil
    }
}
