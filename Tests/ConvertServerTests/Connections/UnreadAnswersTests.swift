import Testing

@testable import ConvertServer

/// What waits for clients that do not read.
struct UnreadAnswersTests {
    @Test func `requests that wait for those before them count`() throws {
        let unsent = HeldBytes()
        let services = LoopServices(
            ServerConfiguration(), MetricsRegistry(startedWall: 0, startedMonotonic: 0), LogSink(), unsentBytes: unsent,
            clock: { MonotonicTime(nanoseconds: 0) })
        services.workshop = { _, _, _ in ProfileWorkshop.Ticket() }
        let session = Session(services)
        session.token = PollToken(rawValue: 1)
        // The first waits for its profile, which is so long that the loop does not compile it.
        let names = (0..<200).map { "\"name\($0)\":\"n\($0)\"" }.joined(separator: ",")
        let first = HTTPText.post("/v1/convert", "{\"profile\":{\"rename\":{\(names)}},\"payload\":1}")
        let others = String(repeating: "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n", count: 3_000)
        session.receive(Array((first + others).utf8).span, at: services.clock())
        #expect(!session.wantsInput)
        #expect(unsent.count > 90_000)
    }

    @Test func `where many leave much waiting each may leave less`() throws {
        var configuration = ServerConfiguration()
        configuration.commitBytes = 1024
        configuration.highWaterBytes = 2 * 1024 * 1024
        configuration.gateway.maxBufferedBytes = 4 * 1024 * 1024
        let unsent = HeldBytes()
        let services = LoopServices(
            configuration, MetricsRegistry(startedWall: 0, startedMonotonic: 0), LogSink(), unsentBytes: unsent,
            clock: { MonotonicTime(nanoseconds: 0) })
        let body = "[" + String(repeating: "1,", count: 400_000)
        let request = HTTPText.post("/v1/minify", body).replacing("800001", with: "9000000")
        let pair = try SocketPair()
        /// A session whose answer has begun, and of which the system took what it takes.
        func unread() -> Session {
            let session = Session(services)
            session.receive(Array(request.utf8).span, at: services.clock())
            _ = session.send(on: pair.server)
            return session
        }
        let first = unread()
        #expect(first.outbox.count > 500_000 && unsent.count > 500_000)
        #expect(!first.isFull && first.wantsInput && first.maxReadBytes == ReadBuffer.capacity)
        var second: Session? = unread()
        #expect(first.isFull && !first.wantsInput)
        #expect(second?.isFull == true)
        // What comes of the next bytes may have to wait, too, whoever's they are: they are read a few at a time.
        #expect(first.maxReadBytes == 16 * 1024)
        #expect(Session(services).maxReadBytes == 16 * 1024)
        second = nil
        #expect(!first.isFull && first.wantsInput)
        // What nobody waits for any more counts no more.
        first.outbox.removeAll()
        _ = first.send(on: pair.server)
        #expect(unsent.count == 0)
    }
}
