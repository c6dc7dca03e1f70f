import Dispatch
import Glibc
import Testing

@testable import Sockets
@testable import Telemetry
@testable import Text

struct LogSinkTests {
    private static let milliseconds = 30_000

    @Test func `a blocked log reader loses lines, which are counted, and never blocks logging`() throws {
        let pipe = try Ends()
        let limit = 64 * 1024
        let sink = LogSink(descriptor: pipe.writer, maxWaitingBytes: limit)
        let line = { (number: Int) in
            Array("{\"line\":\(number),\"filler\":\"\(String(repeating: "x", count: 100))\"}\n".utf8)
        }
        // Ten times the space in pipe and buffer, without a reader: a sink that waits would wait here forever.
        let count = 20_000
        for number in 0..<count { sink.append(line(number)) }
        let dropped = sink.drops.overflow
        #expect(dropped > 0)
        #expect(sink.drops.failure == 0)

        let kept = count - Int(dropped)
        let lines = pipe.readLines(kept)
        sink.flush(milliseconds: Self.milliseconds)
        #expect(sink.drops.overflow == dropped)
        #expect(lines.count == kept)
        var last = -1
        for text in lines {
            let number = try #require(Int(text.dropFirst(8).prefix { $0.isNumber }))
            #expect(number > last)
            #expect(Array("\(text)\n".utf8) == line(number))
            last = number
        }

        // Once there is room again, the sink accepts lines again.
        sink.append(line(count))
        #expect(pipe.readLines(1).map { Array("\($0)\n".utf8) } == [line(count)])
        #expect(sink.drops.overflow == dropped)
    }

    @Test func `lines of several threads are written whole, in order for each thread`() throws {
        let pipe = try Ends()
        let sink = LogSink(descriptor: pipe.writer)
        let threads = 4
        let count = 100
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            for number in 0..<count { sink.append(Array("\(thread) \(number)\n\(thread) again\n".utf8)) }
        }
        sink.flush(milliseconds: Self.milliseconds)
        let lines = pipe.readLines(2 * threads * count)
        #expect(sink.drops == LogSink.Drops())
        for thread in 0..<threads {
            let own = lines.filter { $0.hasPrefix("\(thread) ") && !$0.hasSuffix("again") }
            #expect(own == (0..<count).map { "\(thread) \($0)" })
        }
        for index in stride(from: 0, to: lines.count, by: 2) {
            #expect(lines[index + 1] == "\(lines[index].prefix(1)) again")
        }
    }

    @Test func `on a full disk, lines that do not fit are lost and counted`() throws {
        let full = unsafe open("/dev/full", O_WRONLY | O_CLOEXEC)
        try #require(full >= 0)
        defer { close(full) }
        let sink = LogSink(descriptor: full)
        sink.append(Array("one\ntwo\n".utf8))
        sink.flush(milliseconds: Self.milliseconds)
        #expect(sink.drops == LogSink.Drops(overflow: 0, failure: 2))
        sink.append(Array("three\n".utf8))
        sink.flush(milliseconds: Self.milliseconds)
        #expect(sink.drops == LogSink.Drops(overflow: 0, failure: 3))
    }

    @Test func `after a truncated line, the next one begins on a new line`() {
        var seam = LogSeam()
        #expect(seam.repair.isEmpty)
        // The disk is full in the middle of a line, then it accepts nothing, then there is room. The repair never counts as a lost line.
        #expect(seam.wrote(9, of: Array("whole\nhalf\nlost\n".utf8)) == 2)
        #expect(seam.repair == Array("\n".utf8))
        #expect(seam.wrote(0, of: Array("\nlost\n".utf8)) == 1)
        #expect(seam.repair == Array("\n".utf8))
        #expect(seam.wrote(6, of: Array("\nnext\n".utf8)) == 0)
        #expect(seam.repair.isEmpty)
    }

    @Test func `the first lines of a too large batch are written, and the rest is counted`() throws {
        let pipe = try Ends()
        let sink = LogSink(descriptor: pipe.writer, maxWaitingBytes: 9)
        sink.append(Array("a\nb\nc\nd\neee\nf\n".utf8))
        #expect(pipe.readLines(4) == ["a", "b", "c", "d"])
        sink.flush(milliseconds: Self.milliseconds)
        sink.append(Array("ten bytes\n".utf8))
        sink.append(Array("g\n".utf8))
        #expect(pipe.readLines(1) == ["g"])
        #expect(sink.drops == LogSink.Drops(overflow: 3, failure: 0))
    }

    /// A pipe that closes with its owner.
    private final class Ends {
        let reader: Int32
        let writer: Int32
        private var unread: [UInt8] = []

        init() throws {
            var ends: [Int32] = [-1, -1]
            guard unsafe pipe(&ends) == 0 else { throw SystemCallError.last("pipe") }
            for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
            (reader, writer) = (ends[0], ends[1])
        }

        deinit {
            close(reader)
            close(writer)
        }

        /// Reads this number of lines, or fewer if none arrives for half a minute.
        func readLines(_ count: Int) -> [String] {
            var lines: [String] = []
            var buffer = [UInt8](repeating: 0, count: 64 * 1024)
            while lines.count < count {
                if let end = unread.firstIndex(of: ASCII.lineFeed) {
                    var start = 0
                    var stop: Int? = end
                    while let end = stop, lines.count < count {
                        lines.append(String(decoding: unread[start..<end], as: UTF8.self))
                        start = end + 1
                        stop = unread[start...].firstIndex(of: ASCII.lineFeed)
                    }
                    unread.removeFirst(start)
                    continue
                }
                var watched = pollfd(fd: reader, events: Int16(POLLIN), revents: 0)
                guard unsafe poll(&watched, 1, Int32(LogSinkTests.milliseconds)) > 0 else { break }
                let got = unsafe buffer.withUnsafeMutableBytes { unsafe read(reader, $0.baseAddress, $0.count) }
                guard got > 0 else { break }
                unread += buffer[..<got]
            }
            return lines
        }
    }

    @Test func `a log line has time and level, and file names cannot add lines`() {
        let line = ServerLog.line(
            "profile not loaded: a\nb\u{1B}[2J\u{85}.json: é 😀 \"q\"", .error, wallNanoseconds: 784_111_777_004_000_000)
        #expect(
            String(decoding: line, as: UTF8.self)
                == #"{"time":"1994-11-06T08:49:37.004Z","level":"error","message":"profile not loaded: "#
                + #"a\u000ab\u001b[2J"# + "\u{FFFD}" + #".json: é 😀 \"q\""}"# + "\n")
    }
}
