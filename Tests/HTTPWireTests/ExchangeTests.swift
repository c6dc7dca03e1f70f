import Testing

@testable import HTTPWire

/// The table of allowed actions: all others are refused in every state.
struct ExchangeTests {
    private static let actions: [Exchange.Action] = [
        .startHead, .endHead, .endBody, .fail, .sendContinue, .sendInterim, .startResponse, .sendBody, .endResponse,
        .turnOver,
    ]

    @Test func `every reachable state allows only the actions that may follow it`() {
        let reached = reachableStates(from: Exchange(), by: Self.actions) { $0.after($1) }
        #expect(reached.count == 11)
        for state in reached {
            let isUnderWay = state.request != .idle && state.request != .head
            #expect((state.after(.startResponse) != nil) == (isUnderWay && state.response == .pending), "\(state)")
            #expect((state.after(.sendBody) != nil) == (state.response == .started), "\(state)")
            #expect((state.after(.endResponse) != nil) == (state.response == .started), "\(state)")
            #expect((state.after(.turnOver) != nil) == (state.request == .complete && state.response == .done))
            #expect((state.after(.startHead) != nil) == (state == Exchange()), "\(state)")
            #expect(
                (state.after(.sendContinue) != nil) == (state.request == .body && state.response == .pending),
                "\(state)")
            // A 100 only goes to a client that waits with its body; other interim responses may come at any time before the final one.
            let awaitsResponse = (state.request == .body || state.request == .complete) && state.response == .pending
            #expect((state.after(.sendInterim) != nil) == awaitsResponse, "\(state)")
            if state.request == .failed { #expect(state.after(.turnOver) == nil && state.after(.fail) == nil) }
        }
    }
}
