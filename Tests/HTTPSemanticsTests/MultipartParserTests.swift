import Testing

@testable import HTTPSemantics

struct MultipartParserTests {
    private struct Part: Equatable {
        var name: String?
        var filename: String?
        var type: String?
        var data = ""
    }

    /// The parts of a body that arrives in these pieces; nil if the body has no end.
    private static func parts(_ pieces: [ArraySlice<UInt8>], boundary: String) throws -> [Part]? {
        var parser = try #require(MultipartParser(boundary: boundary))
        var parts: [Part] = []
        var data: [UInt8] = []
        for piece in pieces {
            let bytes = Array(piece)
            var position = 0
            reading: while true {
                switch try parser.next(bytes.span, at: &position) {
                case .needMore: break reading
                case .part(let head):
                    parts.append(Part(name: head.name, filename: head.filename, type: head.contentType))
                case .data(let range): data += bytes[range]
                case .held(let range): data += parser.delimiter[range]
                case .partEnd:
                    parts[parts.count - 1].data = String(decoding: data, as: UTF8.self)
                    data = []
                case .end: break
                }
            }
        }
        return parser.isDone ? parts : nil
    }

    private static let body = """
        preamble\r\n--AaB03x\r\nContent-Disposition: form-data; name="a"\r\n\r\nLarry\r\n--AaB03x \t\r\n\
        content-disposition: Form-Data; name="files"; filename="file1.txt"\r\nContent-Type: text/plain\r\n\r\n\
        \r\n--AaB03\r\r\n-\r\n--\r\n--AaB03x\r\nContent-Disposition: form-data; name="empty"\r\n\r\n\r\n--AaB03x\r\n\
        Content-Disposition: form-data; name="bare"\r\n\r\n--AaB03x--\r\nepilogue
        """
    private static let expected = [
        Part(name: "a", data: "Larry"),
        Part(name: "files", filename: "file1.txt", type: "text/plain", data: "\r\n--AaB03\r\r\n-\r\n--"),
        Part(name: "empty"),
        Part(name: "bare"),
    ]

    @Test func `a body gives the same parts whole, byte by byte and cut anywhere`() throws {
        let bytes = Array(Self.body.utf8)
        #expect(try Self.parts([bytes[...]], boundary: "AaB03x") == Self.expected)
        #expect(try Self.parts(bytes.indices.map { bytes[$0...$0] }, boundary: "AaB03x") == Self.expected)
        for cut in bytes.indices {
            #expect(try Self.parts([bytes[..<cut], bytes[cut...]], boundary: "AaB03x") == Self.expected, "\(cut)")
        }
    }

    @Test func `data with line ends is reported in one piece`() throws {
        let data = String(repeating: "\r\r\n-\r\n--AaB03\r\n", count: 1000)
        let bytes = Array("--AaB03x\r\n\r\n\(data)\r\n--AaB03x--".utf8)
        var parser = try #require(MultipartParser(boundary: "AaB03x"))
        var position = 0
        var events: [MultipartParser.Event] = []
        while events.last != .needMore { events.append(try parser.next(bytes.span, at: &position)) }
        let range = 12..<(12 + data.utf8.count)
        #expect(events == [.part(MultipartParser.PartHead()), .data(range), .partEnd, .end, .needMore])
    }

    @Test func `a body without its last boundary has no end`() throws {
        let bytes = Array(Self.body.utf8)
        let end = try #require(Self.body.firstRange(of: "x--\r\nepilogue"))
        let endOffset = Self.body.utf8.distance(from: Self.body.startIndex, to: end.lowerBound)
        for count in 0...endOffset + 2 { #expect(try Self.parts([bytes[..<count]], boundary: "AaB03x") == nil) }
    }

    @Test func `an invalid form is refused`() {
        let head = "Content-Disposition: form-data; name=\"a\""
        let rows = [
            "--b\r\n\(head)\n\r\nx\r\n--b--", "--b\r\nno colon\r\n\r\nx\r\n--b--",
            "--b\r\nContent-Disposition: attachment\r\n\r\nx\r\n--b--", "--bx\r\n\(head)\r\n\r\nx\r\n--b--",
            "--b\r\n\(head)\r\nContent-Transfer-Encoding: base64\r\n\r\nx\r\n--b--", "--b\r\r\n", "--b-x",
            "--b\r\n" + String(repeating: "a", count: MultipartParser.maxPartHeadBytes + 1),
            String(repeating: "--b\r\n\(head)\r\n\r\n\r\n", count: MultipartParser.maxParts + 1),
        ]
        for row in rows {
            let problem = #expect(throws: Problem.self) { _ = try Self.parts([Array(row.utf8)[...]], boundary: "b") }
            #expect(problem?.status == 400, "\(row.prefix(40))")
        }
    }

    @Test func `a boundary has 1 to 70 allowed characters`() {
        for boundary in ["", " ", "a ", "a\r\n", "ä", String(repeating: "a", count: 71)] {
            #expect(MultipartParser(boundary: boundary) == nil, "\(boundary)")
        }
        #expect(MultipartParser(boundary: "'()+_,-./:=? a") != nil)
        #expect(MultipartParser(boundary: String(repeating: "a", count: 70)) != nil)
    }
}
