import ConvertEngine
import HTTPWire
import Testing

@testable import HTTPSemantics

struct BodyTypeTests {
    private static func type(_ lines: String...) -> BodyType {
        var fields = Fields()
        for line in lines { fields.append("Content-Type", line) }
        return BodyType(of: fields)
    }

    @Test func `unreadable parameters do not change the type`() {
        let rows: [(type: String, framing: Converter.Framing)] = [
            ("application/json; odata.metadata=minimal;odata.streaming", .document),
            ("application/json; profile=http://a/b", .document), ("application/problem+json;v=1/2", .document),
            ("application/hal+json; x", .document), ("application/json; x=\"", .document),
            ("application/json;x=1 2;charset=utf-8", .document), ("application/json charset=utf-8", .document),
            ("application/json; x; charset=\"UTF-8\" ", .document), ("Application/JSON ;x", .document),
            ("application/x-ndjson; x", .lines), ("application/jsonl;=", .lines),
            ("application/json; charset=utf-8,", .document), (", application/json", .document),
        ]
        for row in rows {
            let type = Self.type(row.type)
            #expect(type.framing == row.framing, "\(row.type)")
            #expect(type.mayBeJSON && type.isUTF8, "\(row.type)")
            #expect(!type.isWellFormed, "\(row.type)")
        }
        #expect(Self.type("text/event-stream; x").isEventStream)
        for text in [
            "json", "\"application/json\"", "application/json/x", "application /json", "application/jsonp; x", "/",
        ] {
            #expect(Self.type(text).mayBeJSON == false, "\(text)")
        }
    }

    @Test func `every common name of NDJSON means lines`() {
        let names = ["x-ndjson", "ndjson", "jsonl", "jsonlines", "json-lines", "stream+json"]
        let others = [
            "application/vnd.elasticsearch+x-ndjson; compatible-with=8", "application/vnd.a+ndjson", "text/x+jsonl",
            "Application/Stream+JSON",
        ]
        for type in names.map({ "application/\($0)" }) + others {
            let read = Self.type(type)
            #expect(read.framing == .lines && read.mayBeJSON && read.isWellFormed, "\(type)")
        }
        for other in ["application/x-stream+json", "application/ndjson+json", "application/jsonl+json"] {
            #expect(Self.type(other).framing == .document, "\(other)")
        }
        for other in ["application/json-seq", "application/stream+json-seq", "application/xndjson", "ndjson"] {
            #expect(Self.type(other).framing == nil, "\(other)")
        }
    }

    @Test func `an unreadable charset is an unknown charset`() {
        let charsets = [
            "charset = utf-8", "charset", "charset=", "charset =utf-8", "CHARSET", "charset='utf-8'", "charset=\"utf-8",
            "charset=utf-8 x", "charset=latin1; x", "x; charset=latin1", "charset=utf-8; charset=latin1",
            "charset=utf-8; charset", "x=\"; charset=latin1",
        ]
        for charset in charsets {
            let type = Self.type("application/json; \(charset)")
            #expect(type.framing == .document, "\(charset)")
            #expect(!type.isUTF8, "\(charset)")
        }
        for other in ["charsets", "charset*=x'y", "x=charset", "charset=utf-8; charset=UTF-8; x"] {
            #expect(Self.type("application/json; \(other)").isUTF8, "\(other)")
        }
    }

    @Test func `equal types count as one, and any of different types may be meant`() {
        let json = "application/json"
        for type in [
            Self.type(json, json), Self.type("\(json), \(json)"), Self.type("", json),
            Self.type(json, "Application/JSON; x"),
            Self.type("\(json); x=\"text/html, \", \(json)"),
        ] {
            #expect(type.framing == .document && type.isUTF8 && !type.isWellFormed)
        }
        #expect(!Self.type(json, "\(json); charset=latin1").isUTF8)
        for other in ["text/html", "text/event-stream", "application/hal+json", "application/x-ndjson", "json"] {
            for type in [Self.type(json, other), Self.type(other, json), Self.type("\(other), \(json)")] {
                #expect(type.framing == nil && type.mayBeJSON && !type.isEventStream, "\(other)")
            }
        }
        #expect(!Self.type("text/html", "text/plain").mayBeJSON)
        #expect(Self.type("text/event-stream", "text/event-stream").isEventStream)
    }

    @Test func `one readable type is well-formed`() {
        for text in [
            "application/json", "application/json;", "text/html; charset=\"a\"", "application/json; charset=utf-8",
        ] {
            #expect(Self.type(text).isWellFormed, "\(text)")
        }
        let missing = BodyType(of: Fields())
        #expect(missing.framing == nil && !missing.mayBeJSON && !missing.isEventStream)
    }
}
