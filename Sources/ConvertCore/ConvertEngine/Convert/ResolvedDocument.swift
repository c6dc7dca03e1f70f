import ConvertText

/// A document as the converter leaves it, to explain what the rules of a plan did to it. It is a tree in which removed values still have
/// their nodes, each with the rule that removed it.
///
/// The converter buffers the whole document for this. After an error it continues, if it can; otherwise the tree has what was read before.
package struct ResolvedDocument: ~Copyable {
    /// How much of a payload is read before the limit for buffered output is checked. A byte can become as much as a rule can write.
    private static let sliceBytes = 64

    var object = HeldObject()
    private let complaints: [Int: String]
    /// Whether the plan's limit for buffered output is not enough for the document. Then the tree is incomplete.
    package private(set) var isTooLong = false

    /// The document. Its nodes are in the order of the payload, followed by those that rules made.
    package var tree: HeldTree { _read { yield object.tree } }

    package init(_ plan: Plan, _ payload: Span<UInt8>) {
        var settings = plan.settings
        settings.limits.maxKeyBytes = .max
        settings.holdsDocument = true
        let plan = Plan(settings)
        var engine = UniqueBox(Engine(plan))
        // No object is small enough to be resolved and written where it ends.
        engine.value.pieceBytes = 0
        var output = ByteBuffer()
        do throws(ConversionError) {
            var rest = payload
            while !rest.isEmpty, !engine.value.isWriting {
                try engine.value.take(rest.extracting(first: Self.sliceBytes), pauses: true, into: &output)
                rest = rest.extracting(droppingFirst: Self.sliceBytes)
            }
            if !engine.value.isWriting { try engine.value.finish(into: &output) }
        } catch {
            isTooLong = error.code == .limit
            output.removeAll()
        }
        complaints = engine.value.hold.complaints
        swap(&engine.value.hold.object, &object)
        if object.tree.nodes.isEmpty {
            // The document is a scalar, or its beginning is in error.
            let root = object.tree.append(to: -1)
            let ends = plan.wrapText.beginning.count + plan.wrapText.end.count
            let value = output.bytes.extracting(droppingFirst: min(plan.wrapText.beginning.count, output.count))
            object.tree.setValue(of: root, to: value.extracting(first: max(0, output.count - ends)))
        }
        object.resolve(by: plan)
        if case .tooLong = object.failure { isTooLong = true }
    }

    /// The reason why a rule rejects the value of a node; nil if none does.
    package func complaint(of node: Int) -> String? { complaints[node] }

    /// The error for which a record was skipped or made null; nil for any other node.
    package func skipped(_ node: Int) -> ConversionError.Code? { object.tree[note: node].skipped }
}
