import ConvertCore
import FoundationEssentials
import TestSupport
import Testing

/// FoundationEssentials' JSONDecoder and the engine agree on what is JSON.
///
/// JSONDecoder deviates from RFC 8259 in known ways. `DocumentMutator` avoids most of them; this test proves one, case by case:
/// JSONDecoder takes a comma before a closing bracket. Such a document counts as agreed only if the engine refuses it and both
/// accept it without those commas. JSONDecoder also never reads the value of a repeated key; with this seed no document has its
/// only error there.
struct DifferentialValidityTests {
    @Test func `both accept and refuse the same 100,000 mutated documents`() throws {
        let count = TestVariable.number("CONVERT_MUTATIONS", 100_000)
        var mutator = DocumentMutator(seed: 8259)
        var converter = Converter(try .permissive())
        let decoder = JSONDecoder()
        var accepted = 0
        var trailingCommas = 0
        var differences = 0
        for _ in 0..<count {
            let document = mutator.next()
            let run = ConverterTrial(&converter, document)
            let foundation = isValid(document, decoder)
            accepted += run.error == nil ? 1 : 0
            if (run.error == nil) == foundation { continue }
            let repaired = withoutTrailingCommas(document)
            if foundation, repaired != document, ConverterTrial(&converter, repaired).error == nil,
                isValid(repaired, decoder)
            {
                trailingCommas += 1
                continue
            }
            differences += 1
            if differences <= 20 {
                let text = String(decoding: document, as: UTF8.self)
                Issue.record(
                    "JSONDecoder \(foundation ? "accepts" : "refuses") \(text.debugDescription); engine: \(run)")
            }
        }
        #expect(differences == 0, "\(differences) of \(count) documents")
        // The generator must make many documents that are accepted and many that are refused.
        #expect(accepted > count / 10 && accepted < count * 9 / 10, "\(accepted) accepted")
        #expect(trailingCommas < count / 100, "\(trailingCommas) with trailing commas")
    }

    @Test func `the known differences from JSONDecoder still exist`() throws {
        let decoder = JSONDecoder()
        for text in ["[1,]", #"{"a":1,}"#] {
            #expect(isValid(Array(text.utf8), decoder), "\(text)")
            #expect(ConverterTrial(.minify(), Array(text.utf8)).error != nil, "\(text)")
        }
        #expect(isValid([UInt8(ascii: "1"), 0], decoder))
        #expect(ConverterTrial(.minify(), [UInt8(ascii: "1"), 0]).error != nil)
        for text in ["[1e400]", "[0e5]", "-0.0e+9", #"["\ud800"]"#] {
            #expect(!isValid(Array(text.utf8), decoder), "\(text)")
            #expect(ConverterTrial(.minify(), Array(text.utf8)).error == nil, "\(text)")
        }
    }

    private func isValid(_ document: [UInt8], _ decoder: JSONDecoder) -> Bool {
        (try? decoder.decode(PermissiveValue.self, from: Data(document))) != nil
    }

    /// The document without commas before a closing bracket, outside strings.
    private func withoutTrailingCommas(_ document: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var comma: Int?
        var inString = false
        var isEscaped = false
        for byte in document {
            if inString {
                inString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
            } else if byte == UInt8(ascii: ",") {
                comma = result.count
            } else if byte == UInt8(ascii: "]") || byte == UInt8(ascii: "}") {
                if let comma { result.remove(at: comma) }
                comma = nil
            } else if !" \t\r\n".utf8.contains(byte) {
                comma = nil
                inString = byte == UInt8(ascii: "\"")
            }
            result.append(byte)
        }
        return result
    }
}
