import ConvertEngine
import ConvertProfiles

/// An error as JSON: the members of the HTTP service's problems, with `message` in place of `detail`.
struct ErrorText: ~Copyable {
    private(set) var json = ByteBuffer()

    /// The errors that the host itself makes.
    static var handle: ErrorText { ErrorText(code: "handle", message: "nothing has this handle") }
    static var count: ErrorText { ErrorText(code: "count", message: "the input has fewer bytes") }

    private init(code: String, message: String) {
        begin(code, message)
        json.append(utf8: "}")
    }

    init(_ error: ConversionError) {
        begin(error.code.rawValue, error.message)
        append("pointer", error.pointer)
        append("line", error.line)
        append("column", error.column)
        append("offset", error.offset)
        append("rule", error.rule)
        json.append(utf8: "}")
    }

    init(_ error: ProfileError) {
        let first = error.faults.first
        begin("profile", first?.message ?? "the profile has errors")
        append("line", first?.line)
        append("column", first?.column)
        append("rule", first?.pointer)
        append("hint", first?.hint)
        if !error.faults.isEmpty { ProfileReport.append(error.faults, named: "faults", to: &json) }
        json.append(utf8: "}")
    }

    private mutating func begin(_ code: String, _ message: String) {
        json.append(utf8: "{\"code\":\"\(code)\"")
        append("message", message)
    }

    private mutating func append(_ name: String, _ value: Int?) {
        if let value { json.append(utf8: ",\"\(name)\":\(value)") }
    }

    private mutating func append(_ name: String, _ value: String?) {
        guard let value else { return }
        json.append(utf8: ",\"\(name)\":")
        JSONText.appendQuoted(Array(value.utf8), to: &json)
    }
}
