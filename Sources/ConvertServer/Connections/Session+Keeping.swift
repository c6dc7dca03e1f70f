import ConvertCore
import HTTPWire

// MARK: - What a session keeps of a request that is not finished

extension Session {
    /// Keeps the next bytes of a body that is needed whole.
    func keep(_ bytes: Span<UInt8>) throws(Problem) {
        kept.append(span: bytes)
        try countKept()
    }

    /// Counts what the request keeps; throws when that has grown to more than it leaves to others.
    func countKept() throws(Problem) {
        let firm = kept.count + (form?.keptBytes ?? 0) + (conversion?.keptBytes ?? 0)
        let output = isCommitted ? 0 : conversion?.unit.output.count ?? 0
        if share.set(firm: firm, passing: output), let refusal = share.refusal { throw refusal }
    }

    /// Refuses a payload that becomes more, or takes longer, than that of one request may.
    func checkCost(of conversion: Conversion) throws(Problem) {
        if conversion.sentBytes + conversion.unit.output.count > services.maxResponseBytes { throw .responseTooLong }
        if spentNanoseconds > services.maxRequestNanoseconds { throw .tooCostly }
    }

    /// Whether what was converted is not to wait any longer for the end of the answer.
    var isAnswerDue: Bool {
        guard let output = conversion?.unit.output.count else { return false }
        return output > services.commitBytes || output >= HeldShare.stepBytes && share.isTooLarge
    }
}
