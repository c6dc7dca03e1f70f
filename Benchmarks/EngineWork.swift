import ConvertCore

/// Converts one document over and over with one converter and one output buffer, as a server does for a profile.
final class EngineWork {
    /// What the engine is asked to do.
    enum Task: String, CaseIterable {
        case minify
        /// Every key to camel case and five renames; duplicates and collisions are faults.
        case keys
        /// The same, and every date-time with a zone to RFC 3339 in UTC.
        case keysAndDates = "keys+dates"

        func plan() throws -> Plan {
            switch self {
            case .minify: .minify()
            case .keys: try Profile(parsing: Array(Self.profile(dates: "").utf8)).compile(.forward)
            case .keysAndDates:
                try Profile(parsing: Array(Self.profile(dates: #", "dates": "rfc3339""#).utf8)).compile(.forward)
            }
        }

        private static func profile(dates: String) -> String {
            let renames = EngineWork.renames.map { #""\#($0.from)": "\#($0.to)""# }.joined(separator: ", ")
            return #"{ "version": 1, "keys": "camelCase", "rename": { \#(renames) }\#(dates) }"#
        }
    }

    /// The five renames of every comparison.
    static let renames = [
        (from: "created_at", to: "ca"), (from: "screen_name", to: "sn"), (from: "id_str", to: "is"),
        (from: "name", to: "n"), (from: "type", to: "t"),
    ]

    private let document: Document
    private let plan: Plan
    private let pieceBytes: Int
    private let isCold: Bool
    private var converter: Converter
    private var output: ByteBuffer

    /// Prepares for a document that is fed whole, or in pieces of `pieceBytes`.
    ///
    /// A cold converter is new for each conversion and has every name yet to learn; others keep what they learned.
    init(_ task: Task, _ document: Document, pieceBytes: Int? = nil, isCold: Bool = false) throws {
        self.document = document
        self.pieceBytes = pieceBytes ?? max(document.bytes.count, 1)
        self.isCold = isCold
        plan = try task.plan()
        converter = Converter(plan, framing: document.framing)
        output = ByteBuffer(capacity: document.bytes.count * 2)
    }

    /// Converts the document once; returns the size of the output in bytes.
    func convert() throws -> Int {
        output.removeAll()
        if isCold { converter = Converter(plan, framing: document.framing) }
        let bytes = document.bytes
        let input = bytes.span
        var start = 0
        while start < input.count {
            let end = min(start + pieceBytes, input.count)
            try converter.convert(input.extracting(start..<end), into: &output)
            start = end
        }
        try converter.finish(into: &output)
        converter.reset()
        return output.count
    }

    /// Converts once and returns the output.
    func result() throws -> [UInt8] {
        _ = try convert()
        return [UInt8](output)
    }
}
