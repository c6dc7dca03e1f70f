import ConvertFormats
import HTTPServerTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import Conversions
@testable import Gateway
@testable import HTTPServer
@testable import Sockets

/// The limit on the bytes that all requests together may buffer, and the release of these bytes.
struct BufferedBytesTests {
    private static let step = Reservation.smallBytes
    /// The limit of the services in a test, in steps.
    private static let maxSteps = 16
    private static let form = "application/x-www-form-urlencoded"

    /// An unfinished request whose bytes are buffered.
    private struct Kind {
        let name: String
        let path: String
        let type: String
        /// The body before the repeated part, and after it.
        let beginning: String
        let end: String
    }

    private static func part(_ name: String, _ content: String) -> String {
        "--b\r\nContent-Disposition: form-data; name=\"\(name)\"\r\n\r\n\(content)"
    }

    private static let multipart = "multipart/form-data; boundary=b"

    private static let kinds = [
        Kind(
            name: "envelope", path: "/v1/convert", type: "application/json",
            beginning: "{\"profile\":{},\"payload\":\"", end: "\"}"),
        Kind(
            name: "payload before its profile", path: "/v1/convert", type: multipart,
            beginning: part("payload", "\""), end: "\"\r\n\(part("profile", "{}"))\r\n--b--\r\n"),
        Kind(
            name: "profile of a form", path: "/v1/convert", type: multipart,
            beginning: part("profile", "{\"$schema\":\""),
            end: "\"}\r\n\(part("payload", "[1]"))\r\n--b--\r\n"),
        Kind(
            name: "sorted object", path: "/v1/convert", type: multipart,
            beginning: part("profile", "{\"output\":{\"sortKeys\":true}}") + "\r\n" + part("payload", "{\"a\":\""),
            end: "\"}\r\n--b--\r\n"),
        Kind(
            name: "object with a move", path: "/v1/convert", type: multipart,
            beginning: part("profile", "{\"move\":{\"/c/d\":\"/b/e\"}}") + "\r\n"
                + part("payload", "{\"a\":\""), end: "\"}\r\n--b--\r\n"),
        Kind(name: "form", path: "/v1/minify", type: form, beginning: "a=", end: "&b=1"),
        Kind(
            name: "property list", path: "/v1/minify", type: "application/x-plist", beginning: "<plist><string>",
            end: "</string></plist>"),
        Kind(
            name: "profile to check", path: "/v1/profiles/check", type: "application/json",
            beginning: "{\"$schema\":\"", end: "\"}"),
    ]

    private static func services() -> HTTPContext {
        var configuration = ServerConfiguration()
        configuration.gateway.maxBufferedBytes = maxSteps * step
        configuration.maxProfileBytes = 4 * maxSteps * step
        return HTTPContext(configuration)
    }

    private static func fill(steps: Int) -> String { String(repeating: "a", count: steps * step) }

    /// The beginning of a request whose body has `steps` repeated steps; `fill(steps:)` gives these.
    private static func start(_ kind: Kind, steps: Int) -> String {
        let length = kind.beginning.utf8.count + steps * step + kind.end.utf8.count
        return
            "POST \(kind.path) HTTP/1.1\r\nHost: x\r\nContent-Type: \(kind.type)\r\nContent-Length: \(length)\r\n\r\n"
            + kind.beginning
    }

    /// The number of steps that are counted now.
    private static func steps(_ context: HTTPContext) -> Int { context.heldBytes.count / step }

    @Test func `a request above its share of memory is 413, even without other requests`()
        throws
    {
        for kind in Self.kinds {
            var configuration = ServerConfiguration()
            configuration.gateway.maxBufferedBytes = Self.maxSteps * Self.step
            configuration.maxProfileBytes = 4 * Self.maxSteps * Self.step
            // All messages together may buffer less than a quarter of 64 MiB, so the limit for one message is below that.
            configuration.memory = MemoryShares(limitBytes: 1, loops: 1)
            #expect(configuration.maxMessageBytes == 4 * 1024 * 1024)
            let context = HTTPContext(configuration)
            var trial = try Conversation(context)
            trial.receive(Self.start(kind, steps: 300))
            var sent = 0
            while trial.text.isEmpty, sent < 300 {
                trial.receive(Self.fill(steps: 1))
                sent += 1
            }
            // 128 steps, or half of them if the text is buffered twice.
            let isProfile = kind.name.hasPrefix("profile")
            #expect((isProfile ? 62...66 : 60...130).contains(sent), "\(kind.name): \(sent)")
            #expect(HTTPText.status(trial.text) == 413, "\(kind.name): \(trial.text)")
            #expect(isProfile || trial.text.contains("\"code\":\"limit\""), "\(kind.name)")
            #expect(context.heldBytes.count == 0, "\(kind.name)")
        }
    }

    @Test func `a request that needs more than the free memory is 503, unless small`() throws {
        for kind in Self.kinds {
            let context = Self.services()
            var first = try Conversation(context)
            first.receive(Self.start(kind, steps: 4) + Self.fill(steps: 4))
            #expect(first.text.isEmpty, "\(kind.name)")
            let kept = Self.steps(context)
            // The text of a buffered object is at times stored twice, and buffers have room to grow.
            #expect((3...6).contains(kept), "\(kind.name): \(kept)")
            let others = 8
            context.heldBytes.add((others - kept) * Self.step)

            var second = try Conversation(context)
            second.receive(Self.start(kind, steps: 9))
            // Twice its own bytes and the eight steps of others are more than sixteen steps.
            var sent = 0
            while second.text.isEmpty, sent < 9 {
                second.receive(Self.fill(steps: 1))
                sent += 1
            }
            #expect((2...5).contains(sent), "\(kind.name)")
            #expect(HTTPText.status(second.text) == 503, "\(kind.name)")
            #expect(HTTPText.field("Retry-After", second.text) == "1")
            #expect(HTTPText.field("Content-Type", second.text) == "application/problem+json")
            #expect(second.text.contains("\"code\":\"buffers-full\""), "\(kind.name)")
            #expect(Self.steps(context) == others, "\(kind.name)")

            var small = try Conversation(context)
            small.receive(HTTPText.post("/v1/convert", "{\"profile\":{},\"payload\":[ 1 ]}"))
            #expect(HTTPText.body(small.text) == "[1]")

            context.heldBytes.add((kept - others) * Self.step)
            first.receive(kind.end)
            #expect(HTTPText.status(first.text) == 200, "\(kind.name) \(first.text.prefix(900))")
            #expect(context.heldBytes.count == 0, "\(kind.name)")
        }
    }

    @Test func `one request may buffer up to its own limits, and counts for a third`() throws {
        for kind in Self.kinds {
            let context = Self.services()
            var conversation = try Conversation(context)
            conversation.receive(Self.start(kind, steps: 2 * Self.maxSteps))
            for _ in 0..<2 * Self.maxSteps { conversation.receive(Self.fill(steps: 1)) }
            #expect(Self.steps(context) == 6, "\(kind.name)")
            conversation.receive(kind.end)
            #expect(HTTPText.status(conversation.text) == 200, "\(kind.name)")
            #expect(context.heldBytes.count == 0, "\(kind.name)")
        }
    }

    @Test func `a request's memory is released however it ends`() throws {
        let ends: [(name: String, end: (inout Conversation) -> Void)] = [
            ("bad chunk", { $0.receive("zz\r\n") }),
            ("client gone", { $0.session.connectionLost() }),
            ("client's end", { $0.end() }),
            ("deadline", { $0.session.expire(at: $0.now) }),
            ("abort", { $0.session.abort() }),
            ("loop's end", { $0.session.ended() }),
            ("session let go of", { _ in }),
        ]
        for kind in Self.kinds {
            let body = kind.beginning + Self.fill(steps: 5)
            let request =
                "POST \(kind.path) HTTP/1.1\r\nHost: x\r\nContent-Type: \(kind.type)\r\nTransfer-Encoding: chunked\r\n\r\n"
                + "\(String(body.utf8.count, radix: 16))\r\n\(body)\r\n"
            for (name, end) in ends {
                let context = Self.services()
                do {
                    var conversation = try Conversation(context)
                    conversation.receive(request)
                    #expect(Self.steps(context) > 0, "\(kind.name), \(name)")
                    end(&conversation)
                    let isOver = name != "session let go of"
                    #expect((context.heldBytes.count == 0) == isOver, "\(kind.name), \(name)")
                }
                #expect(context.heldBytes.count == 0, "\(kind.name), \(name)")
            }
        }
    }

    @Test func `a body that decompresses to more than the free memory is refused early`() throws {
        let context = Self.services()
        context.heldBytes.add(8 * Self.step)
        var conversation = try Conversation(context)
        let body = try PythonCoding.encode(
            Array("{\"profile\":{},\"payload\":[\(Self.fill(steps: 10).replacing("a", with: " "))".utf8), .gzip)
        let head =
            "POST /v1/convert HTTP/1.1\r\nHost: x\r\nContent-Encoding: gzip\r\nContent-Length: \(body.count + 100)\r\n\r\n"
        conversation.receive(Array(head.utf8) + body)
        #expect(HTTPText.status(conversation.text) == 503)
        #expect(context.heldBytes.count == 8 * Self.step)
    }

    @Test func `a response that waits for its end begins early without memory for it`() throws {
        let context = Self.services()
        var conversation = try Conversation(context)
        let length = Self.maxSteps * Self.step + 2
        conversation.receive("POST /v1/minify HTTP/1.1\r\nHost: x\r\nContent-Length: \(length)\r\n\r\n\"")
        // This is less than the 1 MiB of a response that is buffered if there is room for it.
        conversation.receive(Self.fill(steps: Self.maxSteps / 2))
        #expect(conversation.text.isEmpty)
        conversation.receive(Self.fill(steps: Self.maxSteps / 2))
        #expect(HTTPText.status(conversation.text) == 200)
        #expect(HTTPText.field("Transfer-Encoding", conversation.text) == "chunked")
        conversation.receive("\"")
        #expect(HTTPText.body(conversation.text)?.utf8.count == length)
        #expect(context.heldBytes.count == 0)
    }
}
