import ConvertCore

/// Converts one document repeatedly with one converter and one output buffer, as a server does for a profile.
final class EngineWork {
    /// The work of the engine in a case.
    enum Task: String, CaseIterable {
        case minify
        /// Every key to camel case and five renames; duplicates and collisions are errors.
        case keys
        /// The same, and every date-time with a zone to RFC 3339 in UTC.
        case keysAndDates = "keys+dates"

        /// `keys` with many more rules, which match nothing.
        case idleRules = "keys+idle"
        /// `keys` with dropped members and two rules for dates in named fields.
        case rules = "keys+rules"
        /// The same, and members without content are removed.
        case prune = "keys+prune"
        /// `keys` with the members of every object sorted by name.
        case sorted = "keys+sort"
        /// `keys` under `last`: a later member replaces an earlier one with the same key.
        case last = "keys+last"

        func plan() throws -> Plan {
            switch self {
            case .minify: .minify()
            case .keys: try Self.plan("")
            case .keysAndDates: try Self.plan(#", "dates": "rfc3339""#)
            case .idleRules: try Self.plan(Self.idleSections)
            case .rules: try Self.plan(Self.ruleSections)
            case .prune: try Self.plan(Self.ruleSections + Self.pruneSection)
            case .sorted: try Self.plan(#", "output": { "sortKeys": true }"#)
            case .last: try Self.plan(#", "on": { "duplicateKey": "last" }"#)
            }
        }

        private static func plan(_ sections: String) throws -> Plan {
            let renames = EngineWork.renames.map { #""\#($0.from)": "\#($0.to)""# }
            let idle = sections == idleSections ? (0..<20).map { #""no_such_name_\#($0)": "none\#($0)""# } : []
            let names = (renames + idle).joined(separator: ", ")
            let text = #"{ "version": 1, "keys": "camelCase", "rename": { \#(names) }\#(sections) }"#
            return try Profile(parsing: Array(text.utf8)).compile(.forward)
        }

        private static let idleSections = #"""
            , "drop": ["no_such_member", "/no/such/path", "/**/no_such_inner"],
            "dates": [{ "at": ["no_such_date", "/no/*/such_date"], "to": "rfc3339" }],
            "values": [{ "at": "no_such_value", "as": "string" }]
            """#

        private static let ruleSections = #"""
            , "drop": [\#(EngineWork.dropped.map { "\"\($0)\"" }.joined(separator: ", "))],
            "dates": [{ "at": "created_at", "to": "rfc3339" },
                      { "at": ["updated_at", "*_date"], "to": "rfc3339", "precision": 3 }],
            "on": { "badValue": "keep" }
            """#

        private static let pruneSection = #"""
            , "prune": { "null": true, "emptyString": true, "emptyObject": true, "emptyArray": true }
            """#
    }

    /// The members that `keys+rules` leaves out.
    static let dropped = ["profile_image_url_https", "gravatar_id", "internal_note", "status_history", "subTopicIds"]

    /// The five renames of every comparison.
    static let renames = [
        (from: "created_at", to: "ca"), (from: "screen_name", to: "sn"), (from: "id_str", to: "is"),
        (from: "name", to: "n"), (from: "type", to: "t"),
    ]

    private let document: Document
    private let plan: Plan
    private let pieceBytes: Int
    private let isCold: Bool
    private var state: State

    /// What a conversion changes, in one value: whenever Swift accesses a variable of a class, it checks that access is exclusive.
    private struct State: ~Copyable {
        var converter: Converter
        var output: ByteBuffer

        mutating func convert(_ input: Span<UInt8>, _ pieceBytes: Int) throws -> Int {
            output.removeAll()
            var start = 0
            while input.count - start > pieceBytes {
                try converter.convert(input.extracting(start..<start + pieceBytes), into: &output)
                start += pieceBytes
            }
            try converter.finish(input.extracting(start...), into: &output)
            converter.reset()
            return output.count
        }
    }

    /// Prepares a document that is fed whole, or in pieces of `pieceBytes`.
    ///
    /// A cold converter is new for each conversion and must learn every name; others keep the names that they learned.
    convenience init(_ task: Task, _ document: Document, pieceBytes: Int? = nil, isCold: Bool = false) throws {
        self.init(try task.plan(), document, pieceBytes: pieceBytes, isCold: isCold)
    }

    init(_ plan: Plan, _ document: Document, pieceBytes: Int? = nil, isCold: Bool = false) {
        self.document = document
        self.pieceBytes = pieceBytes ?? max(document.bytes.count, 1)
        self.isCold = isCold
        self.plan = plan
        state = State(
            converter: Converter(plan, framing: document.framing),
            output: ByteBuffer(capacity: document.bytes.count * 2))
    }

    /// Converts the document once; returns the size of the output in bytes.
    func convert() throws -> Int {
        if isCold { state.converter = Converter(plan, framing: document.framing) }
        let bytes = document.bytes
        return try state.convert(bytes.span, pieceBytes)
    }

    /// Converts three times and returns the output. Names that were learned lead the later conversions through other code.
    ///
    /// - Throws: `BenchmarkFailure` if the outputs differ.
    func result() throws -> [UInt8] {
        _ = try convert()
        let first = [UInt8](state.output)
        for _ in 0..<2 {
            _ = try convert()
            guard lastOutput(is: first) else {
                throw BenchmarkFailure("\(document.name) is not converted the same way every time")
            }
        }
        return first
    }

    /// Whether the newest output is `expected`, or `count` copies of it as a JSON array if `count` is above one.
    func lastOutput(is expected: [UInt8], count: Int = 1) -> Bool {
        guard count > 1 else {
            return state.output.count == expected.count && Self.holds(state.output, expected, at: 0)
        }
        let length = expected.count + 1
        guard state.output.count == count * length + 1, state.output[state.output.count - 1] == UInt8(ascii: "]") else {
            return false
        }
        return (0..<count).allSatisfy { index in
            state.output[index * length] == UInt8(ascii: index == 0 ? "[" : ",")
                && Self.holds(state.output, expected, at: index * length + 1)
        }
    }

    /// Whether the output has the expected bytes at `start`. It must be long enough for all of them.
    private static func holds(_ output: borrowing ByteBuffer, _ expected: [UInt8], at start: Int) -> Bool {
        let found = output.bytes
        for index in expected.indices where found[start + index] != expected[index] { return false }
        return true
    }
}
