import ConvertText

/// A document as the converter leaves it, to explain what the rules of a plan did to it. It is a tree in which removed values still have
/// their nodes, each with the rule that removed it.
///
/// The converter buffers the whole document for this. After an error it continues, if it can; otherwise the tree has what was read before.
package struct ResolvedDocument: ~Copyable {
    var object = HeldObject()
    private let complaints: [Int: String]

    /// The document. Its nodes are in the order of the payload, followed by those that rules made.
    package var tree: HeldTree { _read { yield object.tree } }

    package init(_ plan: Plan, _ payload: Span<UInt8>) {
        let plan = Plan(holdingDocumentOf: plan)
        var engine = Engine(plan)
        // No object is small enough to be resolved and written where it ends.
        engine.pieceBytes = 0
        var output = ByteBuffer()
        do throws(ConversionError) {
            try engine.take(payload, pauses: true, into: &output)
            if !engine.isWriting { try engine.finish(into: &output) }
        } catch {
            output.removeAll()
        }
        complaints = engine.hold.complaints
        swap(&engine.hold.object, &object)
        if object.tree.nodes.isEmpty {
            // The document is a scalar, or its beginning is in error.
            let root = object.tree.append(to: -1)
            let ends = plan.wrapText.beginning.count + plan.wrapText.end.count
            let value = output.bytes.extracting(droppingFirst: min(plan.wrapText.beginning.count, output.count))
            object.tree.setValue(of: root, to: value.extracting(first: max(0, output.count - ends)))
        }
        object.resolve(by: plan)
    }

    /// The reason why a rule rejects the value of a node; nil if none does.
    package func complaint(of node: Int) -> String? { complaints[node] }

    /// The error for which a record was skipped or made null; nil for any other node.
    package func skipped(_ node: Int) -> ConversionError.Code? { object.tree[note: node].skipped }
}

extension Plan {
    /// The same plan, but the whole document is buffered, without limits.
    fileprivate convenience init(holdingDocumentOf plan: Plan) {
        self.init(
            output: plan.output, limits: Limits(maxDepth: plan.limits.maxDepth, maxKeyBytes: .max),
            selectors: plan.selectors,
            caseRule: plan.caseRule, isInverse: plan.isInverse, sourceCaseRule: plan.sourceCaseRule,
            refusesLossyNames: plan.refusesLossyNames, rules: plan.rules, scanRule: plan.scanRule,
            policies: plan.policies, prune: plan.prune, records: plan.records, wrapText: plan.wrapText,
            holdsDocument: true)
    }
}
