import ConvertProfiles
import HTTPServerTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import HTTPServer
@testable import Sockets

/// Forms and property lists in POST requests.
struct FormatRouteTests {
    private static let form = "application/x-www-form-urlencoded"
    private static let plist = "application/x-plist"

    /// The complete response to a request whose bytes arrive in pieces of `count`.
    private static func ask(_ request: String, pieces count: Int = .max) throws -> String {
        let session = Session(HTTPContext(ServerConfiguration()))
        let pair = try SocketPair()
        var rest = Array(request.utf8)[...]
        while !rest.isEmpty {
            let piece = Array(rest.prefix(count))
            rest = rest.dropFirst(count)
            session.receive(piece.span, at: MonotonicTime(nanoseconds: 0))
        }
        _ = session.send(on: pair.server)
        return String(decoding: pair.received(), as: UTF8.self)
    }

    @Test func `forms and property lists are converted, whole and byte by byte`() throws {
        let list = "<plist><dict><key>user_id</key><integer>18446744073709551615</integer></dict></plist>"
        let part = "--b\r\nContent-Disposition: form-data; name="
        let parts = """
            \(part)\"profile\"; filename=\"p\"\r\n\r\n{\"keys\":\"camelCase\"}\r\n\
            \(part)\"payload\"; filename=\"x.plist\"\r\nContent-Type: application/octet-stream\r\n\r\n\(list)\r\n--b--\r\n
            """
        let fields = """
            \(part)\"payload\"\r\nContent-Type: \(Self.form)\r\n\r\na_b[]=1\r\n\
            \(part)\"profile\"; filename=\"p\"\r\n\r\n{\"keys\":\"camelCase\"}\r\n--b--\r\n
            """
        let rows: [(request: String, body: String)] = [
            (HTTPText.post("/v1/minify", "a=1&b[c][]=%C3%A9", type: Self.form), #"{"a":"1","b":{"c":["é"]}}"#),
            (HTTPText.post("/v1/minify?indent=1", "", type: Self.form), "{}"),
            (HTTPText.post("/v1/normalize?keys=camelCase", "user_id=7", type: Self.form), #"{"userId":"7"}"#),
            (HTTPText.post("/v1/minify", " \n[1]", type: Self.form), "[1]"),
            (
                HTTPText.post("/v1/normalize?keys=camelCase", list, type: Self.plist),
                #"{"userId":18446744073709551615}"#
            ),
            (HTTPText.post("/v1/minify", "<plist><true/></plist>", type: "application/xml-plist"), "true"),
            (
                HTTPText.post("/v1/convert", parts, type: "multipart/form-data; boundary=b"),
                #"{"userId":18446744073709551615}"#
            ),
            (HTTPText.post("/v1/convert", fields, type: "multipart/form-data; boundary=b"), #"{"aB":["1"]}"#),
        ]
        for row in rows {
            for count in [Int.max, 1, 7] {
                let response = try Self.ask(row.request, pieces: count)
                #expect(HTTPText.status(response) == 200, "\(response)")
                #expect(HTTPText.body(response) == row.body, "\(row.request)")
                #expect(HTTPText.field("Content-Type", response) == "application/json")
            }
        }
    }

    /// An offset is always a position in the bytes that the client sent; otherwise there is none.
    @Test func `errors of the format have an offset, and those of its JSON a pointer`() throws {
        let rows: [(request: String, status: Int, holds: String, lacks: String?)] = [
            (
                HTTPText.post("/v1/minify", "a=%zz", type: Self.form), 400,
                #""code":"form","pointer":"","line":1,"column":3,"offset":2"#, nil
            ),
            (HTTPText.post("/v1/minify", "a=1&a[b]=2", type: Self.form), 400, #""code":"form","pointer":"/a""#, nil),
            (
                HTTPText.post("/v1/minify", "<plist>\n<x/>", type: Self.plist), 400,
                #""code":"plist","pointer":"","line":2,"column":1"#, nil
            ),
            (
                HTTPText.post("/v1/normalize?keys=camelCase", "a_b=1&aB=2", type: Self.form), 422, #""pointer":"/aB""#,
                "offset"
            ),
            (HTTPText.post("/v1/profiles/check", "<plist/>", type: Self.plist), 415, "", nil),
            (HTTPText.post("/v1/minify", "<plist/>", type: "text/xml"), 415, "", nil),
            (HTTPText.post("/v1/minify", "a=1", type: Self.form + "; charset=latin1"), 415, "", nil),
        ]
        for row in rows {
            let response = try Self.ask(row.request)
            #expect(HTTPText.status(response) == row.status, "\(row.request)")
            #expect(row.holds.isEmpty || response.contains(row.holds), "\(response)")
            if let absent = row.lacks { #expect(!response.contains(absent), "\(response)") }
        }
    }
}
