import ConvertCore
import TestSupport
import Testing

/// Our own acceptance corpus: JSON is taken, other text is refused, and each question that RFC 8259 leaves open has a decision.
struct AcceptanceTests {
    /// Our choice for one `i_` file, a document that RFC 8259 leaves open.
    struct Decision: Decodable {
        var accepted: Bool
        var code: String?
        var reason: String
    }

    @Test func `every suite file is accepted or refused correctly, whole, by bytes and in pieces`() throws {
        let documents = try Fixtures.files(in: "json", ending: ".json").filter { $0.name != "decisions" }
        let decisions = try decisions()
        #expect(documents.count >= 230)
        var converter = Converter(try .permissive())
        var random = SeededGenerator(seed: 8259)
        for (name, bytes) in documents {
            let expected = try expectation(of: name, decisions: decisions)
            let whole = ConverterTrial(&converter, bytes)
            #expect(expected.isMet(by: whole), "\(name): \(whole)")
            let everyByte =
                bytes.count < 20_000 ? ConverterTrial(&converter, bytes, cuts: Array(0..<bytes.count)) : whole
            #expect(everyByte.agrees(with: whole), "\(name) byte by byte: \(everyByte), whole: \(whole)")
            for _ in 0..<8 {
                let cuts = random.cuts(count: bytes.count, most: 6)
                let pieces = ConverterTrial(&converter, bytes, cuts: cuts)
                #expect(pieces.agrees(with: whole), "\(name) cut at \(cuts): \(pieces), whole: \(whole)")
            }
        }
    }

    @Test func `minified text minifies to itself`() throws {
        var converter = Converter(try .permissive())
        for (name, bytes) in try Fixtures.files(in: "json-minified", ending: ".json") {
            #expect(ConverterTrial(&converter, bytes).wholeOutput == bytes, "\(name)")
        }
    }

    @Test func `every open question has a decision with a reason`() throws {
        let open = try Fixtures.names(in: "json").filter { $0.hasPrefix("i_") }
        let decisions = try decisions()
        #expect(Set(open) == Set(decisions.keys))
        for (name, decision) in decisions { #expect(!decision.reason.isEmpty, "\(name)") }
    }

    private enum Expectation {
        case text([UInt8])
        case refusal(codes: [ConversionError.Code])

        func isMet(by run: ConverterTrial) -> Bool {
            switch self {
            case .text(let bytes): run.wholeOutput == bytes
            case .refusal(let codes): run.error.map { codes.contains($0.code) } ?? false
            }
        }
    }

    private func decisions() throws -> [String: Decision] {
        try Fixtures.decode("json/decisions.json")
    }

    private func expectation(of name: String, decisions: [String: Decision]) throws -> Expectation {
        let decision = decisions["\(name).json"]
        if name.hasPrefix("y_") || decision?.accepted == true {
            return .text(try Fixtures.bytes("json-minified/\(name).json"))
        }
        if let code = decision?.code.flatMap(ConversionError.Code.init) { return .refusal(codes: [code]) }
        // 100,000 open brackets are malformed and too deep; the engine may report either error.
        return .refusal(codes: name.contains("_100000_") ? [.json, .limit] : [.json])
    }
}
