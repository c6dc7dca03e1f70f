/// The log entries of requests whose responses are complete but partly wait in the write buffer, in their order.
///
/// It is an object like the write buffer, because `storedBytes` is read many times in each event.
final class UnsentRecords {
    /// The number of entries whose storage a connection keeps.
    private static let maxKeptRecords = 64

    private var records: [AccessRecord] = []
    /// Bytes of memory of the entries.
    private(set) var storedBytes = 0

    /// Adds the entry of a response whose last byte is the connection's byte number `end`.
    func append(_ record: AccessRecord, endingAt end: Int) {
        record.endOfResponse = end
        records.append(record)
        storedBytes += record.storedBytes
    }

    /// Takes out the entries of the responses that end within the first `sentBytes` bytes of the connection.
    func takeSent(_ sentBytes: Int, _ note: (AccessRecord) -> Void) {
        let count = records.prefix { $0.endOfResponse <= sentBytes }.count
        guard count > 0 else { return }
        for record in records.prefix(count) {
            storedBytes -= record.storedBytes
            note(record)
        }
        if count == records.count {
            records.removeAll(keepingCapacity: count <= Self.maxKeptRecords)
        } else {
            records.removeFirst(count)
        }
    }

    /// Takes out all entries. Everything after the first `sentBytes` bytes of the connection is lost.
    func takeAborted(_ sentBytes: Int, _ note: (AccessRecord) -> Void) {
        for record in records {
            record.isAborted = true
            record.bytesOut -= min(record.bytesOut, record.endOfResponse - sentBytes)
            note(record)
        }
        records = []
        storedBytes = 0
    }
}
