import HTTPSemantics

/// The errors for connections that are refused.
extension Problem {
    static let full = unavailable("the server has too many connections", code: "full")
    /// A long response would wait beside others that clients do not read.
    static let responsesWaiting = unavailable(
        "too many bytes wait for clients, and the server has no room for a long response", code: "buffers-full")

    /// The client has reached its limit of connections.
    static let clientFull = unavailable(
        "this address has as many connections as one client may have", code: "client-full",
        hint: "use fewer, or have the operator raise --max-connections-per-client or trust a proxy")
}
