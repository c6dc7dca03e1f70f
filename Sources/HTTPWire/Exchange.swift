/// One request and its response: their states, and the table of the legal actions.
struct Exchange: Sendable, Equatable {
    enum Request: Sendable {
        /// No byte of a request line was seen.
        case idle
        case head
        /// The head is complete, and the end was not returned yet, even if there is no body.
        case body
        case complete
        /// The peer broke the protocol. There is one response and no next request.
        case failed
    }

    enum Response: Sendable {
        case pending, started, done
    }

    enum Action: Sendable {
        case startHead, endHead, endBody, fail
        case sendContinue, sendInterim, startResponse, sendBody, endResponse
        case turnOver
    }

    private(set) var request = Request.idle
    private(set) var response = Response.pending

    private init(_ request: Request, _ response: Response) {
        self.request = request
        self.response = response
    }

    init() {}

    /// The table: the next state after `action`; nil if it is not legal.
    func after(_ action: Action) -> Exchange? {
        switch (action, request, response) {
        case (.startHead, .idle, .pending): Exchange(.head, .pending)
        case (.endHead, .head, .pending): Exchange(.body, .pending)
        case (.endBody, .body, _): Exchange(.complete, response)
        case (.fail, .head, .pending), (.fail, .body, _): Exchange(.failed, response)
        case (.sendContinue, .body, .pending): self
        case (.sendInterim, .body, .pending), (.sendInterim, .complete, .pending): self
        case (.startResponse, .body, .pending), (.startResponse, .complete, .pending),
            (.startResponse, .failed, .pending):
            Exchange(request, .started)
        case (.sendBody, _, .started): self
        case (.endResponse, _, .started): Exchange(request, .done)
        case (.turnOver, .complete, .done): Exchange(.idle, .pending)
        default: nil
        }
    }

    /// Applies an action from the table. Another action is a mistake of the caller.
    mutating func apply(_ action: Action) {
        guard let next = after(action) else {
            preconditionFailure("\(action) is not legal with the request \(request) and the response \(response)")
        }
        self = next
    }
}
