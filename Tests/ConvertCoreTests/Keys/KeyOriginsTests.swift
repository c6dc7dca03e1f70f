import ConvertEngine
import ConvertProfiles
import Testing

/// The original spelling of the keys that a converter changed.
struct KeyOriginsTests {
    /// The origin of an output key; nil if the converter does not know all keys.
    private func origin(_ name: String, _ converter: borrowing Converter, _ origins: inout KeyOrigins) -> String? {
        guard converter.keys.update(&origins) else { return nil }
        var text = ByteBuffer()
        text.append(utf8: name)
        text.padWithSlack()
        switch converter.keys.origin(of: text, from: 0, to: text.count, origins) {
        case .same: return name
        case .unknown: return "unknown"
        case .entry(let entry):
            text.removeAll()
            converter.keys.appendInputKey(of: entry, to: &text)
            return String(decoding: [UInt8](text), as: UTF8.self)
        }
    }

    private func convert(_ json: String, _ converter: inout Converter) throws {
        var output = ByteBuffer()
        converter.reset()
        try converter.finish(Array(json.utf8).span, into: &output)
    }

    @Test func `a key of one spelling is known, one of several spellings is not`() throws {
        var converter = Converter(try Profile(parsing: #"{"keys":"camelCase"}"#).compile(.forward))
        var origins = KeyOrigins()
        try convert(#"{"user_id":{"plain":[{"user_id":1}],"n\u0061me":2,"x_y":3}}"#, &converter)
        for (name, expected) in [
            ("userId", "user_id"), ("plain", "plain"), (#"n\u0061me"#, #"n\u0061me"#), ("xY", "x_y"),
            ("other", "unknown"),
        ] {
            #expect(origin(name, converter, &origins) == expected)
        }
        // Keys of earlier payloads count, too: the converter does not forget them.
        try convert(#"{"userId":{"X_Y":1,"plain":1}}"#, &converter)
        for (name, expected) in [("userId", "unknown"), ("xY", "unknown"), ("plain", "plain")] {
            #expect(origin(name, converter, &origins) == expected)
        }
    }

    @Test func `more keys than the converter remembers are not all known, until it starts afresh`() throws {
        var converter = Converter(try Profile(parsing: #"{"keys":"camelCase"}"#).compile(.forward))
        var origins = KeyOrigins()
        try convert("{" + (0..<20_000).map { "\"a_\($0)\":1" }.joined(separator: ",") + "}", &converter)
        #expect(origin("a1", converter, &origins) == nil)
        try convert(#"{"new_key":1}"#, &converter)
        #expect(origin("newKey", converter, &origins) == "new_key")
    }

    @Test func `rules that rename, move or add members leave keys unknown`() throws {
        let rows: [(rule: String, origin: String?)] = [
            (#""rename":{"a":"b"}"#, "unknown"), (#""move":{"/a":"/b"}"#, nil), (#""flatten":["/a"]"#, nil),
            (#""defaults":{"/a":1}"#, "x_y"), (#""defaults":{"/xY":1}"#, "unknown"),
            (#""wrap":{"at":"/a"}"#, nil), (#""drop":["a"]"#, "x_y"),
        ]
        for (rule, expected) in rows {
            var converter = Converter(try Profile(parsing: #"{"keys":"camelCase",\#(rule)}"#).compile(.forward))
            var origins = KeyOrigins()
            try convert(#"{"x_y":1}"#, &converter)
            #expect(origin("xY", converter, &origins) == expected, "\(rule)")
        }
    }
}
