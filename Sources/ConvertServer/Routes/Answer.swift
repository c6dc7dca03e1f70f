import HTTPSemantics

/// A whole response, known before its first byte is sent.
struct Answer: Sendable, Hashable {
    var status = 200
    /// Nil if there is no body.
    var contentType: String?
    /// Whether `Accept` has chosen the type.
    var variesByType = false
    var fields: [Problem.Field] = []
    var body: [UInt8] = []

    init(_ status: Int = 200, contentType: String? = nil, body: [UInt8] = []) {
        self.status = status
        self.contentType = contentType
        self.body = body
    }

    /// The response to OPTIONS (RFC 9110 §9.3.7).
    init(allow: String, acceptPost: String?) {
        status = 204
        fields = [Problem.Field(name: "Allow", value: allow)]
        if let acceptPost { fields.append(Problem.Field(name: "Accept-Post", value: acceptPost)) }
    }

    /// A representation of the type that `Accept` has chosen.
    init(chosen contentType: String, body: [UInt8]) {
        self.init(contentType: contentType, body: body)
        variesByType = true
    }

    /// The response instead of a representation that the client already has (RFC 9110 §15.4.5).
    static func notModified(_ answer: Answer) -> Answer {
        var head = Answer(304)
        head.variesByType = answer.variesByType
        return head
    }

    init(_ problem: Problem, requestID: String?) {
        status = problem.status
        contentType = Problem.contentType
        fields = problem.fields
        body = problem.json(requestID: requestID)
    }
}
