import ConvertProfiles
import Dispatch
import HTTPServerTestSupport
import Synchronization
import TestSupport
import Testing

@testable import Conversions
@testable import EventLoop
@testable import HTTPSemantics
@testable import HTTPServer
@testable import Sockets

/// Long profiles in requests are compiled and checked outside the loop.
struct SessionCompileQueueTests {
    /// The jobs that the compile queue received.
    private final class Orders {
        var orders: [(order: CompileQueue.Job, number: Int)] = []
        let cancellation = CompileQueue.Cancellation()
    }

    /// A profile with many rules, one of which applies to the payload.
    private static let profile =
        "{\"rename\":{" + (0..<2000).map { "\"name\($0)\":\"n\($0)\"" }.joined(separator: ",") + "}}"
    private static let payload = "{\"name7\":1}"
    private static let next = "GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"

    private static func form(_ parts: [(name: String, text: String)]) -> String {
        let body =
            parts.map { "--b\r\nContent-Disposition: form-data; name=\"\($0.name)\"\r\n\r\n\($0.text)\r\n" }.joined()
            + "--b--\r\n"
        return HTTPText.post("/v1/convert", body, type: "multipart/form-data; boundary=b")
    }

    private static func conversation(_ orders: Orders) throws -> Conversation {
        let conversation = try Conversation()
        conversation.session.token = PollToken(generation: 1, index: 0)
        conversation.session.context.compileQueue = { order, _, number in
            orders.orders.append((order, number))
            return orders.cancellation
        }
        return conversation
    }

    @Test func `a long profile is compiled in a queue, and responses stay in order`() throws {
        let requests = [
            HTTPText.post("/v1/convert", "{\"profile\":\(Self.profile),\"payload\":\(Self.payload)}"),
            HTTPText.post("/v1/convert", "{\"payload\":\(Self.payload),\"profile\":\(Self.profile)}"),
            Self.form([("profile", Self.profile), ("payload", Self.payload)]),
            Self.form([("payload", Self.payload), ("profile", Self.profile)]),
            HTTPText.post("/v1/profiles/check", Self.profile),
        ]
        for (index, request) in requests.enumerated() {
            let orders = Orders()
            var conversation = try Self.conversation(orders)
            conversation.receive(request + Self.next)
            #expect(conversation.text.isEmpty && orders.orders.count == 1, "\(index)")
            let session = conversation.session
            // The session waits for no input of the client, and no deadline applies.
            #expect(!session.wantsInput && !session.wantsToResume && session.activity == .none)
            let (order, number) = try #require(orders.orders.first)
            session.take(order.perform(), forRequest: number + 1)
            #expect(session.writeBuffer.isEmpty, "the product of another request")
            session.take(order.perform(), forRequest: number)
            conversation.drain()
            let responses = conversation.text.split(separator: "HTTP/1.1 200 OK\r\n", omittingEmptySubsequences: false)
            #expect(responses.count == 3, "\(index): \(conversation.text)")
            let wanted = index == 4 ? "{\"valid\":true," : "{\"n7\":1}"
            #expect(responses[1].contains("\r\n\r\n\(wanted)"), "\(index): \(conversation.text)")
            #expect(responses[2].hasSuffix("{\"status\":\"ok\"}"))
        }
    }

    @Test func `an error in a long profile is reported like one in a short profile`() throws {
        let orders = Orders()
        var conversation = try Self.conversation(orders)
        let profile = Self.profile.replacing("\"name7\"", with: "\"name6\"")
        conversation.receive(HTTPText.post("/v1/convert", "{\"profile\":\(profile),\"payload\":1}") + Self.next)
        let (order, number) = try #require(orders.orders.first)
        conversation.session.take(order.perform(), forRequest: number)
        conversation.drain()
        #expect(conversation.text.hasPrefix("HTTP/1.1 422 Unprocessable Content\r\n"))
        #expect(conversation.text.contains("/rename/name6"))
        #expect(conversation.text.hasSuffix("{\"status\":\"ok\"}"))
    }

    @Test func `a short profile is compiled at once, and a disconnected client gets nothing`() throws {
        let orders = Orders()
        var conversation = try Self.conversation(orders)
        conversation.receive(
            HTTPText.post("/v1/convert", "{\"profile\":{\"rename\":{\"name7\":\"n7\"}},\"payload\":\(Self.payload)}"))
        #expect(conversation.text.hasSuffix("{\"n7\":1}") && orders.orders.isEmpty)
        conversation.receive(HTTPText.post("/v1/profiles/check", Self.profile))
        let (order, number) = try #require(orders.orders.first)
        #expect(!orders.cancellation.isCancelled)
        conversation.session.connectionLost()
        #expect(orders.cancellation.isCancelled)
        conversation.session.take(order.perform(), forRequest: number)
        #expect(conversation.session.writeBuffer.isEmpty)
    }

    @Test func `the size of waiting documents is limited, and finished ones no longer count`() throws {
        let document = Array(Self.profile.utf8)
        let compileQueue = CompileQueue(maxWaitingBytes: document.count * 3 / 2)
        let products = Mutex<[String]>([])
        let done = DispatchSemaphore(value: 0)
        func order() {
            compileQueue.perform(.check(document)) { product in
                switch product {
                case .report: products.withLock { $0.append("report") }
                case .recipe: products.withLock { $0.append("recipe") }
                case .problem(let problem): products.withLock { $0.append("\(problem.status) \(problem.code ?? "")") }
                }
                done.signal()
            }
        }
        order()
        order()
        for _ in 0..<2 { #expect(done.wait(timeout: .now() + 60) == .success) }
        order()
        #expect(done.wait(timeout: .now() + 60) == .success)
        #expect(products.withLock { $0 } == ["503 buffers-full", "report", "report"])
    }

    @Test func `work for disconnected clients is not done`() {
        let document = Array(Self.profile.utf8)
        let compileQueue = CompileQueue(maxWaitingBytes: document.count * 4)
        let products = Mutex(0)
        let (start, done) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        compileQueue.perform(.check(document)) { _ in
            _ = start.wait(timeout: .now() + 60)
            done.signal()
        }
        let cancellation = compileQueue.perform(.check(document)) { _ in products.withLock { $0 += 1 } }
        cancellation.cancel()
        start.signal()
        #expect(done.wait(timeout: .now() + 60) == .success)
        // A later job runs after the cancelled one.
        compileQueue.perform(.check(document)) { _ in done.signal() }
        #expect(done.wait(timeout: .now() + 60) == .success)
        #expect(products.withLock { $0 } == 0)
    }
}
