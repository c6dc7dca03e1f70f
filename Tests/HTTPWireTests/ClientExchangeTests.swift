import Testing

@testable import HTTPWire

/// The client's table of allowed actions: all others are refused in every state.
struct ClientExchangeTests {
    private static let actions: [ClientExchange.Action] = [
        .startRequest, .sendBody, .endRequest, .startHead, .switchProtocol, .endHead, .endBody, .fail,
    ]

    @Test func `every reachable state allows only the actions that may follow it`() {
        let reached = reachableStates(from: ClientExchange(), by: Self.actions) { $0.after($1) }
        // The initial state; sending or complete with each of awaited, head, body, done and failed; and the tunnel.
        #expect(reached.count == 12)
        for state in reached {
            let isBetween = state == ClientExchange() || (state.request == .complete && state.response == .done)
            #expect((state.after(.startRequest) != nil) == isBetween, "\(state)")
            #expect((state.after(.sendBody) != nil) == (state.request == .sending), "\(state)")
            #expect((state.after(.endRequest) != nil) == (state.request == .sending), "\(state)")
            #expect(
                (state.after(.switchProtocol) != nil) == (state.request == .complete && state.response == .head),
                "\(state)")
            if state.response == .failed || state.response == .tunnel {
                for action in Self.actions where action != .sendBody && action != .endRequest {
                    #expect(state.after(action) == nil, "\(state) \(action)")
                }
            }
        }
    }
}
