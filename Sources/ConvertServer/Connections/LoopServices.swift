import ConvertCore
import HTTPWire

/// What the connections of one loop share; no other loop sees it.
final class LoopServices {
    let wireLimits: WireLimits
    var times: DeadlineKeeper.Times
    let commitBytes: Int
    let highWaterBytes: Int
    let maxProfileBytes: Int
    let writesAccessLog: Bool

    var router: Router
    let converters = ConverterPool()
    var identifiers = RequestIdentifiers()
    /// Where heads are written before they are queued.
    var scratch: [UInt8] = []
    /// Lines of the access log that this turn of the loop has brought.
    var logLines: [UInt8] = []
    /// Requests that ended in this event and are not in the log yet.
    private(set) var endedRecords: [AccessRecord] = []

    /// The loop's moment, read once a turn.
    private(set) var wallNanoseconds: Int64 = 0
    private(set) var date: [UInt8] = []
    private var dateSeconds: Int64 = -1

    init(_ configuration: ServerConfiguration) {
        wireLimits = configuration.wireLimits
        times = DeadlineKeeper.Times(configuration)
        commitBytes = configuration.commitBytes
        highWaterBytes = configuration.highWaterBytes
        maxProfileBytes = configuration.maxProfileBytes
        writesAccessLog = configuration.writesAccessLog
        router = Router(configuration)
    }

    /// Begins a turn of the loop.
    func setWallTime(nanoseconds: Int64) {
        wallNanoseconds = nanoseconds
        let seconds = nanoseconds / 1_000_000_000
        guard seconds != dateSeconds else { return }
        dateSeconds = seconds
        date = HTTPDate.imfFixdate(seconds)
    }

    /// Notes a request that has ended.
    func log(_ record: AccessRecord) {
        if writesAccessLog { endedRecords.append(record) }
    }

    /// Writes the lines of the requests that ended in the event that is over now.
    func writeLog(at now: MonotonicTime) {
        for record in endedRecords {
            logLines += record.line(
                durationMicroseconds: now.microseconds(since: record.started), wallNanoseconds: wallNanoseconds)
        }
        endedRecords.removeAll(keepingCapacity: true)
    }
}
