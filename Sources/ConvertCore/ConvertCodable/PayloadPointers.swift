import ConvertEngine
import ConvertProfiles
import ConvertText

/// Maps pointers into a profile's output back to the payload, for error messages.
///
/// It applies the profile once more, on a tree. So it is for small payloads, and used only after an error.
struct PayloadPointers: ~Copyable {
    /// The limit for payloads. The time is linear, but six times that of decoding.
    static let maxPayloadBytes = 4 * 1024 * 1024
    /// The limit for values in a payload. Each value takes about 300 bytes.
    static let maxValues = 128 * 1024

    /// The profile's moves, in the direction in which they were applied.
    private let moves: [(source: Selector, target: Selector)]
    private let explained: ExplainedPayload
    /// A cache: for each visited array its elements, and for each visited object its members by pointer segment.
    private var elements: [Int: [Int]] = [:]
    private var members: [Int: [[UInt8]: Int]] = [:]

    /// Nil for a payload that is too large or that the plan refuses.
    init?(_ profile: Profile, _ direction: Profile.Direction, _ plan: Plan, _ payload: Span<UInt8>) {
        guard payload.count <= Self.maxPayloadBytes, Self.hasFewValues(payload) else { return nil }
        var bytes = ByteBuffer(capacity: payload.count)
        bytes.append(payload)
        guard let document = try? JSONDocumentParser.parse([UInt8](bytes), maxDepth: plan.limits.maxDepth) else {
            return nil
        }
        explained = ExplainedPayload(profile, plan, document)
        moves = profile.moves.map { direction == .forward ? ($0.source, $0.target) : ($0.target, $0.source) }
    }

    /// Whether the payload has at most `maxValues` values. Each value except the root is the first in its container or follows a comma.
    private static func hasFewValues(_ payload: Span<UInt8>) -> Bool {
        var count = 0
        for index in payload.indices {
            let byte = payload[index]
            if byte == ASCII.comma || byte == ASCII.openBracket || byte == ASCII.openBrace { count += 1 }
        }
        return count < maxValues
    }

    /// The pointer into the payload for a pointer into the output; nil for a value that the profile added.
    mutating func source(of pointer: String) -> String? {
        let (wrapText, pointer) = (Array(explained.wrapPointer.utf8), Array(pointer.utf8))
        guard pointer.starts(with: wrapText) else { return nil }
        var node = HeldTree.root
        for segment in pointer[wrapText.count...].split(separator: ASCII.slash, omittingEmptySubsequences: false)
            .dropFirst()
        {
            guard let child = child(of: node, at: segment) else { return nil }
            node = child
        }
        let number = explained.number(of: node)
        guard number < explained.document.nodes.count else { return nil }
        return explained.document.pointer(to: JSONDocument.NodeID(index: number))
    }

    /// The first `limit` records that the profile's `records` left out or made null.
    func skippedRecords(limit: Int) -> [SkippedRecord] {
        explained.skippedRecords.prefix(limit).map { record in
            SkippedRecord(
                pointer: explained.document.pointer(to: JSONDocument.NodeID(index: record.node)), code: record.code)
        }
    }

    private mutating func child(of container: Int, at segment: ArraySlice<UInt8>) -> Int? {
        if explained.tree.nodes[container].kind == .array {
            let elements = elements[container] ?? explained.tree.children(of: container)
            self.elements[container] = elements
            guard let position = Int(String(decoding: segment, as: UTF8.self)), elements.indices.contains(position)
            else { return nil }
            return elements[position]
        }
        if members[container] == nil {
            let children = explained.tree.children(of: container)
            let named = children.map { (Self.segment(explained.tree.name(of: $0)), $0) }
            // The keys of dictionaries stay.
            let ofInput = children.filter { explained.tree.nodes[$0].isOfInput }
            let own = ofInput.map { (Self.segment(explained.tree.inputName(of: $0)), $0) }
            members[container] = Dictionary(named + own) { first, _ in first }
        }
        return members[container]?[Array(segment)]
    }

    private static func segment(_ name: [UInt8]) -> [UInt8] { Array(PayloadPointer.step(name).utf8.dropFirst()) }

    /// The error with the pointer into the payload, if that differs from the pointer into the output.
    ///
    /// - Parameter rangeErrorPath: the path of an error without a coding path.
    mutating func withPayloadPointers(_ error: DecodingError, rangeErrorPath: CodingPathNode?) -> DecodingError {
        if case .keyNotFound(let key, let context) = error {
            return .keyNotFound(key, withPayloadPointers(context, missing: key))
        }
        return error.mapContext { withPayloadPointers($0, rangeErrorPath) }
    }

    private mutating func withPayloadPointers(_ context: DecodingError.Context, _ rangeErrorPath: CodingPathNode?)
        -> DecodingError.Context
    {
        var pointer = JSONPointer(codingPath: context.codingPath).description
        if pointer.isEmpty, context.debugDescription.hasSuffix("\"\(rangeErrorPath.shortPointer)\"") {
            pointer = rangeErrorPath.pointer
        }
        guard let source = source(of: pointer), source != pointer else { return context }
        return context.adding(", which is \"\(source)\" in the payload")
    }

    private mutating func withPayloadPointers(_ context: DecodingError.Context, missing key: any CodingKey)
        -> DecodingError.Context
    {
        let path = JSONPointer(codingPath: context.codingPath + [key]).segments
        let segments = path.map { Selector.Segment.literal(Array($0.utf8)) }
        guard let move = moves.first(where: { $0.target.covers(segments[...]) }) else {
            return withPayloadPointers(context, nil)
        }
        return context.adding("; the profile moves it there from \"\(move.source)\"")
    }
}

extension DecodingError.Context {
    fileprivate func adding(_ text: String) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: codingPath, debugDescription: debugDescription + text, underlyingError: underlyingError)
    }
}
