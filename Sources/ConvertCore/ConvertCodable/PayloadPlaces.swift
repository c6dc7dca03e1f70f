import ConvertEngine
import ConvertProfiles
import ConvertText

/// Where in the payload the values came from that a profile made of it: for the messages of errors.
///
/// The profile is carried out once more, on a tree. So this is for small payloads, once something failed.
struct PayloadPlaces: ~Copyable {
    /// Nothing is looked up in larger payloads. The time is linear, but six times that of decoding.
    static let maxPayloadBytes = 4 * 1024 * 1024
    /// Nothing is looked up in payloads of more values. Each value takes about 300 bytes.
    static let maxValues = 128 * 1024

    /// In the direction in which they were carried out.
    private let moves: [(source: Selector, target: Selector)]
    private let explained: ExplainedPayload
    /// The elements of the arrays that were looked at, and the members of the objects by their segments of a pointer.
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
        var explained = ExplainedPayload(profile, plan, document)
        _ = explained.carryOut()
        self.explained = explained
        moves = profile.moves.map { direction == .forward ? ($0.source, $0.target) : ($0.target, $0.source) }
    }

    /// Whether the values are not more than the limit. Each but the root is the first in its container or follows a comma.
    private static func hasFewValues(_ payload: Span<UInt8>) -> Bool {
        var count = 0
        for index in payload.indices {
            let byte = payload[index]
            if byte == ASCII.comma || byte == ASCII.openBracket || byte == ASCII.openBrace { count += 1 }
        }
        return count < maxValues
    }

    /// The pointer into the payload of the value at a pointer into the output; nil for a value that the profile added.
    mutating func source(of pointer: String) -> String? {
        let (envelope, pointer) = (Array(explained.envelopePlace.utf8), Array(pointer.utf8))
        guard pointer.starts(with: envelope) else { return nil }
        var node = explained.top
        for segment in pointer[envelope.count...].split(separator: ASCII.slash, omittingEmptySubsequences: false)
            .dropFirst()
        {
            guard let child = child(of: node, at: segment) else { return nil }
            node = child
        }
        guard node < explained.document.nodes.count else { return nil }
        return explained.document.pointer(to: JSONDocument.NodeID(index: node))
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
            let named = explained.tree.children(of: container).map { child in
                (Array(PayloadPointer.step(explained.tree.name(of: child)).utf8.dropFirst()), child)
            }
            members[container] = Dictionary(named) { first, _ in first }
        }
        return members[container]?[Array(segment)]
    }

    /// The error with the pointer into the payload, if that is another one.
    ///
    /// - Parameter unplaced: the path of an error without a coding path.
    mutating func placed(_ error: DecodingError, unplaced: CodingPathNode?) -> DecodingError {
        switch error {
        case .typeMismatch(let type, let context): .typeMismatch(type, placed(context, unplaced))
        case .valueNotFound(let type, let context): .valueNotFound(type, placed(context, unplaced))
        case .dataCorrupted(let context): .dataCorrupted(placed(context, unplaced))
        case .keyNotFound(let key, let context): .keyNotFound(key, placed(context, missing: key))
        @unknown default: error
        }
    }

    private mutating func placed(_ context: DecodingError.Context, _ unplaced: CodingPathNode?) -> DecodingError.Context
    {
        var pointer = JSONPointer(codingPath: context.codingPath).description
        if pointer.isEmpty, context.debugDescription.hasSuffix("\"\(unplaced.shortPointer)\"") {
            pointer = unplaced.pointer
        }
        guard let source = source(of: pointer), source != pointer else { return context }
        return context.adding(", which is \"\(source)\" in the payload")
    }

    private mutating func placed(_ context: DecodingError.Context, missing key: any CodingKey) -> DecodingError.Context
    {
        let path = JSONPointer(codingPath: context.codingPath + [key]).segments
        let segments = path.map { Selector.Segment.literal(Array($0.utf8)) }
        guard let move = moves.first(where: { $0.target.covers(segments[...]) }) else { return placed(context, nil) }
        return context.adding("; the profile moves it there from \"\(move.source)\"")
    }
}

extension DecodingError.Context {
    fileprivate func adding(_ text: String) -> DecodingError.Context {
        DecodingError.Context(
            codingPath: codingPath, debugDescription: debugDescription + text, underlyingError: underlyingError)
    }
}
