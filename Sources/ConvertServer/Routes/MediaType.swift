/// A media type with its parameters, as Content-Type and Accept spell it (RFC 9110 §8.3.1); names are in lower case.
struct MediaType: Sendable, Hashable {
    struct Parameter: Sendable, Hashable {
        /// In lower case.
        let name: String
        let value: String
    }

    let type: String
    let subtype: String
    let parameters: [Parameter]

    /// Reads `type/subtype *( OWS ";" OWS [ name "=" ( token / quoted-string ) ] )`, nil for anything else.
    init?(_ text: some StringProtocol) {
        var reader = FieldReader(text)
        guard let type = reader.token(), reader.skip(ASCII.slash), let subtype = reader.token() else { return nil }
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        guard let parameters = reader.parameters() else { return nil }
        self.parameters = parameters
    }

    var essence: String { "\(type)/\(subtype)" }

    /// The value of the first parameter with this name.
    subscript(name: String) -> String? { parameters.first { $0.name == name }?.value }

    /// Whether this range of an Accept field covers `essence`, and how exactly: 0 for `*/*`, 1 for `type/*`, 2 for itself.
    func precision(covering other: MediaType) -> Int? {
        if type == "*" { return subtype == "*" ? 0 : nil }
        guard type == other.type else { return nil }
        if subtype == "*" { return 1 }
        return subtype == other.subtype ? 2 : nil
    }
}
