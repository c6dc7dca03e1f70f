package import HTTPSemantics
package import HTTPWire
import Text

/// A whole response, known before its first byte is sent.
package struct WholeResponse: Sendable, Hashable {
    package var status = 200
    /// Nil if there is no body.
    package var contentType: String?
    /// Whether `Accept` has chosen the type.
    package var variesByType = false
    package var fields: [Problem.Field] = []
    package var body: [UInt8] = []
    /// Whether the response becomes 503 while many bytes wait for slow clients: it is long, and no program depends on it.
    package var needsRoom = false
    /// The coding that the body already has. Such a body is sent as it is.
    package var bodyCoding = ContentCoding.identity
    /// The tag of the representation, which is also among `fields`.
    package var tag: EntityTag?

    package init(_ status: Int = 200, contentType: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// The response to OPTIONS (RFC 9110 §9.3.7).
    package init(allow: String, acceptPost: String?) {
        status = 204
        fields = [Problem.Field(name: "Allow", value: allow)]
        if let acceptPost { fields.append(Problem.Field(name: "Accept-Post", value: acceptPost)) }
    }

    /// A representation of the type that `Accept` has chosen.
    package init(chosen contentType: String, body: [UInt8]) {
        self.init(contentType: contentType, body: body)
        variesByType = true
    }

    /// The same response, or 304 if the request names its tag, or `*`, in `If-None-Match` (RFC 9110 §13.1.2): then the client
    /// already has the representation.
    package func unlessKnown(to request: RequestHead) -> WholeResponse {
        guard let field = request.fields.list(for: "if-none-match") else { return self }
        if field != [ASCII.asterisk] {
            guard let tag, let known = EntityTag.list(field),
                known.contains(where: { $0.matchesWeakly(tag) })
            else { return self }
        }
        var head = WholeResponse(304)
        head.variesByType = variesByType
        head.fields = fields
        return head
    }

    package init(_ problem: Problem, requestID: String?) {
        status = problem.status
        contentType = Problem.contentType
        fields = problem.fields
        body = problem.json(requestID: requestID)
    }
}

extension RequestHead {
    /// Whether the request has `If-Match` with tags (RFC 9110 §13.1.1). It needs a strong tag, and no whole response has one.
    package var wantsTag: Bool { fields.bytes(for: "if-match").map { !$0.elementsEqual([ASCII.asterisk]) } ?? false }
}
