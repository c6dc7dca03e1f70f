import ConvertEngine
import ConvertProfiles

/// An error as JSON: the members of the HTTP service's problems, with `message` in place of `detail`.
struct ErrorText {
    private let code: String
    private let message: String
    private var pointer: String?
    private var line: Int?
    private var column: Int?
    private var offset: Int?
    private var rule: String?
    private var hint: String?
    private var faults: [ProfileFault] = []

    /// The errors that the host itself makes.
    static let handle = ErrorText(code: "handle", message: "nothing has this handle")
    static let count = ErrorText(code: "count", message: "the input has fewer bytes")

    private init(code: String, message: String) {
        self.code = code
        self.message = message
    }

    init(_ error: ConversionError) {
        self.init(code: error.code.rawValue, message: error.message)
        (pointer, rule) = (error.pointer, error.rule)
        (line, column, offset) = (error.line, error.column, error.offset)
    }

    init(_ error: ProfileError) {
        let first = error.faults.first
        self.init(code: "profile", message: first?.message ?? "the profile has errors")
        (line, column) = (first?.line, first?.column)
        (rule, hint) = (first?.pointer, first?.hint)
        faults = error.faults
    }

    func write(to text: inout ByteBuffer) {
        text.append(utf8: "{\"code\":\"\(code)\",\"message\":")
        JSONText.appendQuoted(Array(message.utf8), to: &text)
        Self.append("pointer", pointer, to: &text)
        Self.append("line", line, to: &text)
        Self.append("column", column, to: &text)
        Self.append("offset", offset, to: &text)
        Self.append("rule", rule, to: &text)
        Self.append("hint", hint, to: &text)
        if !faults.isEmpty { ProfileReport.append(faults, named: "faults", to: &text) }
        text.append(utf8: "}")
    }

    private static func append(_ name: String, _ value: Int?, to text: inout ByteBuffer) {
        if let value { text.append(utf8: ",\"\(name)\":\(value)") }
    }

    private static func append(_ name: String, _ value: String?, to text: inout ByteBuffer) {
        guard let value else { return }
        text.append(utf8: ",\"\(name)\":")
        JSONText.appendQuoted(Array(value.utf8), to: &text)
    }
}
