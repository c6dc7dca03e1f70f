import TestSupport
import Testing

@testable import ConvertServer
@testable import Sockets

struct ShutdownTests {
    @Test func `the first signal drains, after the delay, and the second ends`() {
        var plain = Shutdown(delaySeconds: 0, drainSeconds: 30)
        #expect(plain.nextTick == nil)
        #expect(plain.signalled(at: UpstreamTrial.second(1)) == [.becomeUnready, .drain])
        #expect(plain.nextTick == UpstreamTrial.second(31))
        #expect(plain.tick(at: UpstreamTrial.second(30)) == [])
        #expect(plain.tick(at: UpstreamTrial.second(31)) == [.end])
        #expect(plain.signalled(at: UpstreamTrial.second(31)) == [])
        // A loop that does not return is abandoned.
        #expect(plain.tick(at: UpstreamTrial.second(31)) == [])
        #expect(plain.nextTick == UpstreamTrial.second(31).advanced(milliseconds: 500))
        #expect(plain.tick(at: UpstreamTrial.second(32)) == [.abandon])
        #expect(plain.nextTick == nil)
        #expect(plain.tick(at: UpstreamTrial.second(33)) == [])

        var delayed = Shutdown(delaySeconds: 5, drainSeconds: 30)
        #expect(delayed.signalled(at: UpstreamTrial.second(0)) == [.becomeUnready])
        #expect(delayed.tick(at: UpstreamTrial.second(4)) == [])
        #expect(delayed.tick(at: UpstreamTrial.second(5)) == [.drain])
        #expect(delayed.nextTick == UpstreamTrial.second(35))
        #expect(delayed.signalled(at: UpstreamTrial.second(6)) == [.end])

        var impatient = Shutdown(delaySeconds: 5, drainSeconds: 30)
        #expect(impatient.signalled(at: UpstreamTrial.second(0)) == [.becomeUnready])
        #expect(impatient.signalled(at: UpstreamTrial.second(1)) == [.end])
    }
}
