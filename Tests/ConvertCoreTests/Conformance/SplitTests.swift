import ConvertCore
import TestSupport
import Testing

/// Any split of the input gives the same output, or the same error, as the whole input.
struct SplitTests {
    /// Profiles that keep different state across the end of a chunk: keys, date candidates, numbers, policies.
    private static let profiles = [
        "{}",
        #"{"output": {"escapes": "ascii", "indent": 2}}"#,
        #"{"keys": {"case": "snake_case", "acronyms": ["ID", "URL"], "except": ["_links"], "opaque": ["/mapOf"]}}"#,
        #"{"keys": "camelCase", "rename": {"user_id": "uid", "/a/*/b": "bee", "*_at": "when"}, "on": {"collision": "first", "duplicateKey": "first"}}"#,
        #"{"dates": [{"at": ["*_at", "/a/*/b"], "to": "epoch-ms", "assumeZone": "Europe/Paris"}, {"precision": 3, "to": "rfc3339"}], "on": {"badValue": "keep"}}"#,
        #"{"keys": "PascalCase", "dates": "rfc3339", "output": {"escapes": "minimal"}}"#,
    ]

    private static let documents = [
        #"{"user_id":1.10,"created_at":"2024-01-02T03:04:05.678+01:00","a":[{"b":"2024-01-02"},{"b":1700000000}]}"#,
        #" [ true , false,null , -0.0e+12,"\u00e9\\\"\ud83d\ude00é語😀" , {} , [ ] ] "#,
        #"{"userID":1,"user_id":2,"_links":{"self_url":"\/"},"mapOf":{"en_GB":{"a_b":1}},"ключИмя":"2024-01-02 03:04:05Z"}"#,
        #"{"\u0061_b":"Sun, 06 Nov 1994 08:49:37 GMT","a_b":"2024-01-02T03:04:05\u005a","x":"2024-13-01T00:00:00Z"}"#,
        #"["20\u00324-01-02 03:04:05Z","2024\u002d01-02T03:04:05+01:00","202401\u00302T030405Z","06\u0020Nov 1994 08:49:37 GMT"]"#,
        "\u{FEFF}\"2024-01-02T03:04:05.000Z\"",
        #"{"a":[1,2,{"b":[tru]}]}"#,
        #"{"a":"\ud83dx","b":"\q"}"#,
        "{\"a\":1}\u{1}",
        #"[1.5e"#,
    ]

    @Test func `every split point of small documents gives the bytes of the whole`() throws {
        for profile in Self.profiles {
            var converter = Converter(try .forward(profile))
            for document in Self.documents {
                let payload = Array(document.utf8)
                let whole = ConverterTrial(&converter, payload)
                for cut in 0...payload.count {
                    let halves = ConverterTrial(&converter, payload, cuts: [cut])
                    #expect(
                        halves.agrees(with: whole),
                        "\(profile) over \(document) cut at \(cut): \(halves), whole: \(whole)")
                }
                let singly = ConverterTrial(&converter, payload, cuts: Array(0...payload.count))
                #expect(
                    singly.agrees(with: whole), "\(profile) over \(document) byte by byte: \(singly), whole: \(whole)")
            }
        }
    }

    @Test func `every pair of split points of a dense document gives the bytes of the whole`() throws {
        let payload = Array(#"{"a_b":["é\u00e9",-1.5e+3,"2024-01-02 03:04:05Z",null]}"#.utf8)
        var converter = Converter(try .forward(Self.profiles[5]))
        let whole = ConverterTrial(&converter, payload)
        #expect(whole.wholeOutput == Array(#"{"AB":["éé",-1.5e+3,"2024-01-02T03:04:05Z",null]}"#.utf8))
        for first in 0...payload.count {
            for second in first...payload.count {
                let pieces = ConverterTrial(&converter, payload, cuts: [first, second])
                #expect(pieces.agrees(with: whole), "cut at \(first) and \(second): \(pieces)")
            }
        }
    }

    @Test func `every split point of NDJSON gives the bytes of the whole`() throws {
        let payloads = [
            "\u{FEFF}{\"a_b\":1}\r\n\n \t \n[\"2024-01-02 03:04:05Z\"]\n1\n\"x\"", "1 2\n", "{}\n{\n}\n", "", "\n\n",
            "true\nfalse \nnull\r\n",
        ]
        for profile in [Self.profiles[0], Self.profiles[5]] {
            var converter = Converter(try .forward(profile), framing: .lines)
            for payload in payloads.map({ Array($0.utf8) }) {
                let whole = ConverterTrial(&converter, payload)
                for cut in 0...payload.count {
                    let halves = ConverterTrial(&converter, payload, cuts: [cut])
                    #expect(halves.agrees(with: whole), "cut at \(cut): \(halves), whole: \(whole)")
                }
            }
        }
    }

    @Test(.enabled(if: Corpus.isAvailable, "needs the corpus: set CONVERT_CORPUS"))
    func `random splits of the corpus give the bytes of the whole`() throws {
        var random = SeededGenerator(seed: 512)
        var converter = Converter(try .forward(Self.profiles[5]))
        for name in ["payload_7944.json", "github_events.json", "twitterescaped.json", "twitter.json"] {
            let payload = try Corpus.bytes(name)
            let whole = ConverterTrial(&converter, payload)
            #expect(whole.error == nil, "\(name): \(whole)")
            let most = payload.count / 64
            let cuts = random.cuts(count: payload.count, most: most)
            #expect(ConverterTrial(&converter, payload, cuts: cuts).agrees(with: whole), "\(name), \(cuts.count) cuts")
            if payload.count < 100_000 {
                #expect(
                    ConverterTrial(&converter, payload, cuts: Array(0..<payload.count)).agrees(with: whole),
                    "\(name) byte by byte")
            }
        }
    }
}
