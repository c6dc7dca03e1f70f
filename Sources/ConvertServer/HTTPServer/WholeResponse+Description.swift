import Gateway
import HTTPSemantics
import HTTPWire
import Service

extension WholeResponse {
    /// The description of a route's API, or 304 for a client that has it already.
    init(_ description: RouteDescription, to request: RequestHead) throws(Problem) {
        guard !request.wantsTag else { throw .preconditionFailed }
        var response = WholeResponse(contentType: "application/json", body: description.text)
        response.fields = [
            Problem.Field(name: "Cache-Control", value: "no-cache"),
            Problem.Field(name: "ETag", value: description.tag.description),
        ]
        response.tag = description.tag
        response.needsRoom = true
        self = response.unlessKnown(to: request)
    }
}
