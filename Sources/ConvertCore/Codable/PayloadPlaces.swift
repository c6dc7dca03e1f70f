/// Where in the payload the values came from that a profile made of it: for the messages of errors.
///
/// The profile is carried out once more, on a tree and forward. So this is for small payloads, once something failed.
struct PayloadPlaces: ~Copyable {
    /// Nothing is looked up in larger payloads, since whoever sends them could make the error take longer than the conversion.
    static let maxPayloadBytes = 256 * 1024

    private let moves: [(source: Selector, target: Selector)]
    private let explained: ExplainedPayload
    /// The nodes by their pointers into the output.
    private let nodes: [String: Int]

    /// Nil for a payload that is too large or that the plan refuses.
    init?(_ profile: Profile, _ plan: Plan, _ payload: Span<UInt8>) {
        guard payload.count <= Self.maxPayloadBytes else { return nil }
        var bytes = ByteBuffer(capacity: payload.count)
        bytes.append(payload)
        guard let document = try? JSONDocumentParser.parse([UInt8](bytes), maxDepth: plan.limits.maxDepth) else {
            return nil
        }
        var explained = ExplainedPayload(profile, plan, document)
        _ = explained.carryOut()
        let pointers = explained.outputPointers().filter { $0.key < document.nodes.count }
        nodes = Dictionary(pointers.map { ($0.value, $0.key) }) { first, _ in first }
        self.explained = explained
        moves = profile.moves.map { ($0.source, $0.target) }
    }

    /// The pointer into the payload of the value at a pointer into the output.
    func source(of pointer: String) -> String? {
        nodes[pointer].map { explained.document.pointer(to: JSONDocument.NodeID(index: $0)) }
    }

    /// The error with the pointer into the payload, if that is another one.
    ///
    /// - Parameter unplaced: the pointer of an error without a coding path.
    func placed(_ error: DecodingError, unplaced: String?) -> DecodingError {
        switch error {
        case .typeMismatch(let type, let context): .typeMismatch(type, placed(context, unplaced))
        case .valueNotFound(let type, let context): .valueNotFound(type, placed(context, unplaced))
        case .dataCorrupted(let context): .dataCorrupted(placed(context, unplaced))
        case .keyNotFound(let key, let context): .keyNotFound(key, placed(context, missing: key))
        @unknown default: error
        }
    }

    private func placed(_ context: DecodingError.Context, _ unplaced: String?) -> DecodingError.Context {
        var pointer = JSONPointer(codingPath: context.codingPath).description
        if let unplaced, pointer.isEmpty, context.debugDescription.hasSuffix("\"\(unplaced)\"") { pointer = unplaced }
        guard let source = source(of: pointer), source != pointer else { return context }
        return context.adding(", which is \"\(source)\" in the payload")
    }

    private func placed(_ context: DecodingError.Context, missing key: any CodingKey) -> DecodingError.Context {
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
