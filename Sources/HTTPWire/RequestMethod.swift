/// A request method: case-sensitive, known or not (RFC 9110 §9.1).
public struct RequestMethod: Sendable, Hashable, CustomStringConvertible {
    /// The token as it was sent.
    public let name: String

    public static let get = RequestMethod(name: "GET")
    public static let head = RequestMethod(name: "HEAD")
    public static let post = RequestMethod(name: "POST")
    public static let put = RequestMethod(name: "PUT")
    public static let delete = RequestMethod(name: "DELETE")
    public static let connect = RequestMethod(name: "CONNECT")
    public static let options = RequestMethod(name: "OPTIONS")
    public static let trace = RequestMethod(name: "TRACE")
    public static let patch = RequestMethod(name: "PATCH")
    public static let query = RequestMethod(name: "QUERY")

    /// The methods of RFC 9110 and RFC 5789, and QUERY, which OpenAPI also has. Any other gets 501.
    public static let known: [RequestMethod] = [
        .get, .head, .post, .put, .delete, .connect, .options, .trace, .patch, .query,
    ]

    init(name: String) { self.name = name }

    /// The method from the bytes of a token.
    init(_ bytes: ArraySlice<UInt8>) {
        // A String stores up to 15 bytes inline, so no known method allocates.
        name = String(decoding: bytes, as: UTF8.self)
    }

    /// Whether the method is one that some resource could support, so that refusing it is 405 and not 501.
    public var isKnown: Bool { RequestMethod.known.contains(self) }

    public var description: String { name }
}
