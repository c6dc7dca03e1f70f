import ConvertEngine
import ConvertProfiles

/// The payload that the pool's profile converted, in errors and reports.
extension DecodingPool {
    /// The limit for the pointers of all failures together. Failures after that have no payload pointer.
    private static let maxPointerBytes = 16 * 1024 * 1024
    private static let maxListedRecords = 100

    private func pointers(_ json: Span<UInt8>) -> PayloadPointers? {
        guard let profile else { return nil }
        return PayloadPointers(profile, direction, plan, json)
    }

    func withPayloadPointers(_ error: DecodingError, _ json: Span<UInt8>, rangeErrorPath: CodingPathNode?)
        -> DecodingError
    {
        var pointers = pointers(json)
        return pointers?.withPayloadPointers(error, rangeErrorPath: rangeErrorPath) ?? error
    }

    func withPayloadPointers(_ failures: [ElementFailure], _ json: Span<UInt8>) -> [ElementFailure] {
        guard !failures.isEmpty else { return [] }
        var pointers = pointers(json)
        var failures = failures
        var bytes = 0
        for index in failures.indices where bytes < Self.maxPointerBytes {
            guard profile != nil else {
                failures[index].source = .same
                continue
            }
            if let error = failures[index].error as? DecodingError {
                failures[index].error = pointers?.withPayloadPointers(error, rangeErrorPath: nil) ?? error
            }
            guard let pointer = pointers?.source(of: failures[index].pointer) else { continue }
            failures[index].source = .pointer(pointer)
            bytes += pointer.utf8.count
        }
        return failures
    }

    /// The first records that the profile's `records` left out or made null.
    func skippedRecords(_ json: Span<UInt8>) -> [SkippedRecord] {
        pointers(json)?.skippedRecords(limit: Self.maxListedRecords) ?? []
    }

    /// The rules that matched nothing. Selectors use the keys of the forward direction's input, which is the inverse's output.
    func unmatchedRules(_ json: Span<UInt8>, _ converted: DecodingWorkspace) throws -> [UnmatchedRule] {
        guard let profile else { return [] }
        var matcher = RuleMatcher(profile, direction)
        guard direction == .forward else { return matcher.unmatched(in: converted.tape.value) }
        var text = ByteBuffer(capacity: json.count)
        text.append(json)
        var tape = JSONTape(text: text)
        tape.index()
        return matcher.unmatched(in: tape)
    }
}
