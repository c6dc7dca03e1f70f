/// One request and its response seen from the client: their states, and the table of the legal actions.
struct ClientExchange: Sendable, Equatable {
    enum Request: Sendable {
        case none
        /// The head is written and the end is not, even if there is no body.
        case sending
        case complete
    }

    enum Response: Sendable {
        /// There was no request.
        case none
        /// No byte has arrived.
        case awaited
        /// In a head, or between an informational response and the next head.
        case head
        case body
        /// The protocol was switched: all bytes belong to the new one.
        case tunnel
        case done
        /// The upstream broke the protocol or has disconnected.
        case failed
    }

    enum Action: Sendable {
        case startRequest, sendBody, endRequest
        case startHead, switchProtocol, endHead, endBody, fail
    }

    private(set) var request = Request.none
    private(set) var response = Response.none

    private init(_ request: Request, _ response: Response) {
        self.request = request
        self.response = response
    }

    init() {}

    /// The table: the next state after `action`; nil if it is not legal.
    ///
    /// The request may be continued during its response, after it, and after an error. The caller decides whether that
    /// is useful.
    func after(_ action: Action) -> ClientExchange? {
        switch (action, request, response) {
        case (.startRequest, .none, .none), (.startRequest, .complete, .done): ClientExchange(.sending, .awaited)
        case (.sendBody, .sending, _): self
        case (.endRequest, .sending, _): ClientExchange(.complete, response)
        case (.startHead, _, .awaited): ClientExchange(request, .head)
        case (.switchProtocol, .complete, .head): ClientExchange(request, .tunnel)
        case (.endHead, _, .head): ClientExchange(request, .body)
        case (.endBody, _, .body): ClientExchange(request, .done)
        case (.fail, _, .awaited), (.fail, _, .head), (.fail, _, .body): ClientExchange(request, .failed)
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
