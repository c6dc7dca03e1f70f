import Text

enum RequestWriter {
    // request-line = method SP request-target SP HTTP-version
    //
    // No part can end its line: the method is a token, the target is visible ASCII, the host is valid, and a value in
    // `Fields` has no control character.
    static func append(_ head: OutgoingRequest, body: RequestBody, to output: inout [UInt8]) {
        precondition(
            !head.method.name.isEmpty && head.method.name.utf8.allSatisfy(ASCII.isToken), "a method is a token")
        precondition(
            head.target.first == ASCII.slash || head.target == [ASCII.asterisk], "a target begins with a slash")
        precondition(head.target.allSatisfy(ASCII.isVisible), "a target is visible ASCII")
        precondition(head.host.isEmpty || Authority.isValid(head.host), "the host is not one")
        precondition(head.fields.hasNone(of: OutgoingRequest.connectionsOwn), "framing is the connection's own")
        output.append(contentsOf: head.method.name.utf8)
        output.append(ASCII.space)
        output.append(contentsOf: head.target)
        output.append(contentsOf: " HTTP/1.1\r\nHost: ".utf8)
        output.append(contentsOf: head.host.utf8)
        appendFraming(head, body, to: &output)
        ResponseWriter.append(head.fields, to: &output)
        ResponseWriter.appendLineEnd(to: &output)
    }

    private static func appendFraming(_ head: OutgoingRequest, _ body: RequestBody, to output: inout [UInt8]) {
        switch body {
        case .none:
            if anticipatesBody(head.method) { output.append(contentsOf: "\r\nContent-Length: 0".utf8) }
        case .sized(let count):
            output.append(contentsOf: "\r\nContent-Length: ".utf8)
            output.appendDecimal(count)
        case .chunked: output.append(contentsOf: "\r\nTransfer-Encoding: chunked".utf8)
        }
        if let upgrade = head.upgrade {
            precondition(upgrade.utf8.allSatisfy(ASCII.isFieldContent), "a protocol's name holds no control character")
            output.append(contentsOf: "\r\nConnection: upgrade\r\nUpgrade: ".utf8)
            output.append(contentsOf: upgrade.utf8)
        }
        ResponseWriter.appendLineEnd(to: &output)
    }

    private static func anticipatesBody(_ method: RequestMethod) -> Bool {
        method == .post || method == .put || method == .patch || method == .query
    }
}
