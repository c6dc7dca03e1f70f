import Testing

@testable import ConvertServer
@testable import Sockets

/// One question for a server's health, step by step.
struct HealthQuestionTests {
    @Test(
        arguments: [
            ("xxxx\r\n\r\n", nil), ("\r\n", nil), ("HTTP/1.1 2000 OK\r\n\r\n", nil),
            ("HTTP/1.1 503 No\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n", 503),
            ("HTTP/1.1 204 OK\r\n\r\nmore", 204),
        ] as [(String, Int?)])
    func `a probe's response that breaks off where it cannot be read is judged`(answer: String, status: Int?) throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/server"
        let listener = try NarrowListener(at: path)
        let server = try #require(ServerAddress.literal(.unix(path: "\(path)")))
        var question = try HealthQuestion(
            server, UpstreamTrial.configuration([server.server]), path: "/h", at: UpstreamTrial.second(0))
        let peer = try listener.accept()
        var buffer = ReadBuffer()
        let asked = question.step(&buffer)
        #expect(asked == .waiting)
        let bytes = Outbox()
        bytes.append(Array(answer.utf8))
        _ = bytes.send(on: peer)
        peer.endSending()
        var outcome = question.step(&buffer)
        if outcome == .waiting { outcome = question.step(&buffer) }
        #expect(outcome == .verdict(status))
    }

    @Test func `a Unix socket with a full queue is tried again after longer and longer pauses`() throws {
        let directory = try TemporaryDirectory()
        let path = "\(directory.path)/server"
        let listener = try NarrowListener(at: path)
        let waiting = try StreamSocket.connecting(to: SocketAddress(path: path))
        let server = try #require(ServerAddress.literal(.unix(path: "\(path)")))
        let begin = UpstreamTrial.second(0)
        var question = try HealthQuestion(
            server, UpstreamTrial.configuration([server.server]), path: "/h", at: begin)
        // After 1, 2, 4, 8 and then 16 milliseconds each.
        for milliseconds in [1, 3, 7, 15, 31, 47, 63] {
            let moment = begin.advanced(milliseconds: Int64(milliseconds))
            let next = question.connectsAgain
            #expect(next == moment)
            try question.connectAgain(at: moment)
        }
        _ = try listener.accept()
        try question.connectAgain(at: begin.advanced(milliseconds: 79))
        let next = question.connectsAgain
        #expect(next == nil)

        let peer = try listener.accept()
        var buffer = ReadBuffer()
        let asked = question.step(&buffer)
        #expect(asked == .waiting)
        let answer = Outbox()
        answer.append(Array("HTTP/1.1 204 No Content\r\n\r\n".utf8))
        _ = answer.send(on: peer)
        let outcome = question.step(&buffer)
        #expect(outcome == .verdict(204))
        // Both stay until here.
        #expect(waiting.connectFault == nil)
        #expect(peer.connectFault == nil)
    }
}
