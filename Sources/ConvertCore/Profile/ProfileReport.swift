/// What checking a profile document found: the report of `check` and of `POST /v1/profiles/check`.
public struct ProfileReport: Sendable, Hashable {
    /// The profile, when there are no faults.
    public let profile: Profile?
    /// In the order of the document.
    public let faults: [ProfileFault]
    /// In the order of the document.
    public let warnings: [ProfileFault]

    /// Checks a document; whatever the bytes are, there is a report.
    public init(checking document: [UInt8]) {
        let reading = Profile.read(document)
        profile = reading.faults.isEmpty ? reading.profile : nil
        faults = reading.faults
        warnings = reading.profile.warnings
    }

    public var isValid: Bool { faults.isEmpty }

    /// The report as a minified JSON text in UTF-8.
    ///
    ///     {"valid":false,
    ///      "faults":[{"pointer":"/renme","line":1,"column":2,"message":"…","hint":"…"}],
    ///      "warnings":[]}
    ///
    /// `hint` is left out where there is none.
    public func json() -> [UInt8] {
        var text = Array("{\"valid\":\(isValid)".utf8)
        Self.append(faults, named: "faults", to: &text)
        Self.append(warnings, named: "warnings", to: &text)
        text.append(ASCII.closeBrace)
        return text
    }
}

// MARK: - Writing

extension ProfileReport {
    private static func append(_ faults: [ProfileFault], named name: String, to text: inout [UInt8]) {
        text += ",\"\(name)\":[".utf8
        for (index, fault) in faults.enumerated() {
            if index > 0 { text.append(ASCII.comma) }
            append(fault, to: &text)
        }
        text.append(ASCII.closeBracket)
    }

    private static func append(_ fault: ProfileFault, to text: inout [UInt8]) {
        text += "{\"pointer\":".utf8
        append(string: fault.pointer, to: &text)
        text += ",\"line\":\(fault.line),\"column\":\(fault.column),\"message\":".utf8
        append(string: fault.message, to: &text)
        if let hint = fault.hint {
            text += ",\"hint\":".utf8
            append(string: hint, to: &text)
        }
        text.append(ASCII.closeBrace)
    }

    /// A JSON string in its shortest legal form.
    private static func append(string: String, to text: inout [UInt8]) {
        text.append(ASCII.quote)
        for byte in string.utf8 {
            switch byte {
            case ASCII.quote, ASCII.backslash: text += [ASCII.backslash, byte]
            case ASCII.backspace: text += [ASCII.backslash, ASCII.b]
            case ASCII.tab: text += [ASCII.backslash, ASCII.t]
            case ASCII.lineFeed: text += [ASCII.backslash, ASCII.n]
            case ASCII.formFeed: text += [ASCII.backslash, ASCII.f]
            case ASCII.carriageReturn: text += [ASCII.backslash, ASCII.r]
            case ..<ASCII.space:
                text += "\\u00".utf8
                text += [ASCII.hexDigit(byte >> 4), ASCII.hexDigit(byte & 0b1111)]
            default: text.append(byte)
            }
        }
        text.append(ASCII.quote)
    }
}
