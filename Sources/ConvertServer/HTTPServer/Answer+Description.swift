import Gateway
import HTTPSemantics
import HTTPWire
import Service

extension Answer {
    /// The description of a route's API, or 304 for a client that has it already.
    init(_ description: RouteDescription, to request: RequestHead) {
        var answer = Answer(contentType: "application/json", body: description.text)
        answer.fields = [
            Problem.Field(name: "Cache-Control", value: "no-cache"),
            Problem.Field(name: "ETag", value: description.tag.description),
        ]
        answer.tag = description.tag
        answer.needsRoom = true
        self = answer.unlessKnown(to: request)
    }
}
