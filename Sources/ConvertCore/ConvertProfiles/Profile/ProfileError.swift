import ConvertText

/// One error in a profile document, or one warning.
public struct ProfileFault: Error, Sendable, Hashable {
    /// RFC 6901 JSON Pointer into the profile.
    public var pointer: String
    /// Line of the wrong key or value, from 1.
    public var line: Int
    /// Column in bytes, from 1.
    public var column: Int
    /// The problem, in one line.
    public var message: String
    /// The suggested correction; nil if none is known.
    public var hint: String?
    /// The file and line of the rule in Swift, such as `Client/Names.swift:12`; nil for a profile that is a document.
    public var source: String?

    /// Creates an error or a warning from its parts.
    public init(pointer: String, line: Int, column: Int, message: String, hint: String? = nil) {
        self.pointer = pointer
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
    }

    package init(at location: DocumentLocation, _ message: String, hint: String? = nil) {
        self.init(pointer: location.pointer, line: location.line, column: location.column, message: message, hint: hint)
        source = location.source.text
    }
}

extension ProfileFault {
    var location: DocumentLocation {
        var location = DocumentLocation(pointer: pointer, line: line, column: column)
        location.source = RuleSource(text: source)
        return location
    }

    /// The profile's section that contains the error: the first step of its pointer.
    var section: [UInt8] { Array(Array(pointer.utf8).dropFirst().prefix { $0 != ASCII.slash }) }
}

extension ProfileFault: CustomStringConvertible {
    /// `LINE:COLUMN: MESSAGE (POINTER); HINT` on one line: control characters are shown as escapes.
    ///
    /// For a rule that is written in Swift, the text begins with the rule's file and line instead of line and column.
    public var description: String {
        let shownPointer = pointer.isEmpty ? "" : " (\(pointer))"
        let advice = hint.map { "; \($0)" } ?? ""
        return "\(source ?? "\(line):\(column)"): " + Self.onOneLine(message + shownPointer + advice)
    }

    private static func onOneLine(_ text: String) -> String {
        var line = ""
        for scalar in text.unicodeScalars {
            switch scalar.properties.generalCategory {
            case .control, .lineSeparator, .paragraphSeparator:
                line += "\\u{\(String(scalar.value, radix: 16))}"
            default: line.unicodeScalars.append(scalar)
            }
        }
        return line
    }
}

/// All errors of one profile document, in the order of the document.
public struct ProfileError: Error, Sendable, Hashable {
    /// The errors. A thrown error has at least one.
    public var faults: [ProfileFault]

    /// Creates an error from its parts.
    public init(faults: [ProfileFault]) {
        self.faults = faults
    }

    init(at location: DocumentLocation, _ message: String, hint: String? = nil) {
        faults = [ProfileFault(at: location, message, hint: hint)]
    }
}

extension ProfileError: CustomStringConvertible {
    /// Each error on a line of its own.
    public var description: String { faults.map { $0.description }.joined(separator: "\n") }
}
