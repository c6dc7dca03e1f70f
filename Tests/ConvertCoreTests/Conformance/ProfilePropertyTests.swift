import ConvertText
import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// Properties of every profile and payload, whatever the reference's output is.
///
/// `CONVERT_PAIRS` sets the number of cases and `CONVERT_PAIRS_SEED` the first seed.
@Suite(.enabled(if: PythonReference.isAvailable, "needs python3"))
struct ProfilePropertyTests {
    private static let maxDepth = 512

    /// Each scalar of a document as it is spelled, with the number of its occurrences.
    private static func scalars(_ document: JSONDocument) -> [[UInt8]: Int] {
        var counts: [[UInt8]: Int] = [:]
        for index in document.nodes.indices where !document.nodes[index].kind.isContainer {
            counts[document.source(of: .init(index: index)), default: 0] += 1
        }
        return counts
    }

    /// A profile that loses data does not load. A profile that loads refuses payloads that would not come back.
    ///
    /// Every other payload has keys that often do not come back from a case rule, such as `x_1__y_`.
    @Test func `a payload converted by a reversible profile is restored byte for byte`() throws {
        let count = TestVariable.number("CONVERT_PAIRS", 4_000)
        var compared = 0
        var sections: [String: Int] = [:]
        for pair in try GeneratedPair.generate("roundtrip", count: count, sections: GeneratedPair.invertibleSections) {
            let profile: Profile
            do {
                profile = try Profile(parsing: Array(pair.profile.utf8))
            } catch {
                #expect(error.faults.allSatisfy { $0.message.hasPrefix("`roundTrip`") }, "\(pair.label)\n\(error)")
                continue
            }
            // A payload can still break a rule: an invalid date, two equal keys, or a key that does not come back.
            guard let there = ConverterTrial(try profile.compile(.forward), pair.payload).wholeOutput else { continue }
            // `roundTrip` refuses payloads but never changes their output.
            let lenient = try Profile(
                pair.profile.replacing("\"roundTrip\": \"required\"", with: "\"roundTrip\": \"ignore\""))
            #expect(ConverterTrial(try lenient.compile(.forward), pair.payload).wholeOutput == there, "\(pair.label)")
            let back = ConverterTrial(try profile.compile(.inverse), there)
            // Keys come back in their shortest spelling, and moved or sorted members at other positions.
            var output = OutputOptions(escapes: .minimal)
            output.sortKeys = !profile.moves.isEmpty || profile.output.sortKeys
            let spelling = Plan.minify(output: output)
            let found = back.wholeOutput.map { ConverterTrial(spelling, $0) }
            #expect(found?.agrees(with: ConverterTrial(spelling, pair.payload)) == true, "\(pair.label)\nback  \(back)")
            compared += 1
            guard there != ConverterTrial(.minify(), pair.payload).wholeOutput else { continue }
            if !profile.moves.isEmpty { sections["move", default: 0] += 1 }
            if !profile.values.isEmpty { sections["values", default: 0] += 1 }
            if !profile.dates.isEmpty { sections["dates", default: 0] += 1 }
            if !profile.renames.isEmpty { sections["rename", default: 0] += 1 }
        }
        #expect(compared > count / 4, "\(compared) of \(count)")
        for section in ["move", "values", "dates", "rename"] {
            #expect(sections[section, default: 0] > count / 100, "\(section): \(sections)")
        }
    }

    @Test func `every output is JSON`() throws {
        let pairs = try GeneratedPair.generate("forward", count: TestVariable.number("CONVERT_PAIRS", 3_000))
        var texts: [(pair: GeneratedPair, text: [UInt8])] = []
        for pair in pairs {
            let plan = try Profile(parsing: Array(pair.profile.utf8)).compile(.forward)
            guard let output = ConverterTrial(plan, pair.payload, framing: pair.lines ? .lines : .document).wholeOutput
            else { continue }
            if pair.lines {
                texts += output.split(separator: UInt8(ascii: "\n")).map { (pair, Array($0)) }
            } else {
                texts.append((pair, output))
            }
        }
        #expect(texts.count > pairs.count / 3)
        let lines = texts.map { Data($0.text).base64EncodedString() + "\n" }.joined()
        let result = try PythonReference.run("valid_json.py", [], input: .bytes(Array(lines.utf8)))
        #expect(result.status == 0, "\(result.errors)")
        for line in String(decoding: result.output, as: UTF8.self).split(separator: "\n") {
            let number = line.split(separator: " ").first.flatMap { Int($0) } ?? 0
            Issue.record("\(texts[number].pair.label)\n\(line): \(String(decoding: texts[number].text, as: UTF8.self))")
        }
    }

    /// A value may be missing from the output or be respelled only where an explanation names a rule for it.
    @Test func `a value without a rule keeps its bytes`() throws {
        let count = TestVariable.number("CONVERT_PAIRS", 3_000)
        var untouched = 0
        for pair in try GeneratedPair.generate("forward", count: count, marked: true) where !pair.lines {
            let profile = try Profile(parsing: Array(pair.profile.utf8))
            let plan = try profile.compile(.forward)
            guard let output = ConverterTrial(plan, pair.payload).wholeOutput else { continue }
            let found = Self.scalars(try JSONDocumentParser.parse(output, maxDepth: Self.maxDepth))
            let input = try JSONDocumentParser.parse(pair.payload, maxDepth: Self.maxDepth)
            let given = Self.scalars(input)
            var explained = ExplainedPayload(profile, plan, input)
            let notes = explained.effects()
            let outputs = explained.outputPointers()
            if plan.output.escapes == .preserve {
                #expect(
                    ConverterTrial(.minify(), output).agrees(with: ConverterTrial(.minify(), explained.outputText())),
                    "\(pair.label)\nexplained \(String(decoding: explained.outputText(), as: UTF8.self))")
            }
            // If the two outputs differed, the explanation's effects would prove nothing.
            let touched = Set(
                notes.filter { input.nodes.indices.contains($0.node) && $0.mayChangeValue(at: outputs[$0.node]) }
                    .map { input.pointer(to: .init(index: $0.node)) })
            for index in input.nodes.indices where !input.nodes[index].kind.isContainer {
                let id = JSONDocument.NodeID(index: index)
                let text = input.source(of: id)
                let isRespelled = plan.output.escapes != .preserve && text.first == ASCII.quote
                guard given[text] == 1, text.count > 4, !isRespelled, !Self.isBelow(touched, id, input) else {
                    continue
                }
                untouched += 1
                #expect(
                    found[text] == 1,
                    "\(pair.label)\noutput \(String(decoding: output, as: UTF8.self))\n\(input.pointer(to: id))")
            }
        }
        #expect(untouched > count / 2, "\(untouched) values")
    }

    /// Whether the node or one of its ancestors is at one of the pointers.
    private static func isBelow(
        _ pointers: Set<String>, _ node: JSONDocument.NodeID, _ document: JSONDocument
    ) -> Bool {
        var current: JSONDocument.NodeID? = node
        while let id = current {
            if pointers.contains(document.pointer(to: id)) { return true }
            current = document[id].parent
        }
        return false
    }

    @Test func `a collision loses no data unless the profile allows it`() throws {
        let count = TestVariable.number("CONVERT_PAIRS", 4_000)
        var clean = 0
        var clashes = 0
        let sections = "keys,rename,dates,values,keep,drop,require,move,defaults,prune,sortKeys"
        for pair in try GeneratedPair.generate("forward", count: count, sections: sections) where !pair.lines {
            // Some profiles are refused when objects are buffered.
            let runs = try ClashPolicy.allCases.compactMap { policy in
                try Self.profile(pair.profile, on: policy).map {
                    (policy, ConverterTrial(try $0.compile(.forward), pair.payload))
                }
            }
            let strict = runs[0].1
            let outputs = runs.dropFirst().compactMap { policy, run in run.wholeOutput.map { (policy, $0) } }
            if let output = strict.wholeOutput {
                clean += 1
                #expect(try !Self.holdsSharedNames(output), "\(pair.label)\n\(strict)")
                #expect(
                    outputs.count == runs.count - 1 && outputs.allSatisfy { $0.1 == output }, "\(pair.label)\n\(runs)")
            } else if strict.error?.code == .collision {
                clashes += 1
                for (policy, output) in outputs {
                    #expect(
                        try Self.holdsSharedNames(output) == (policy == .keep),
                        "\(pair.label)\n\(policy): \(String(decoding: output, as: UTF8.self))")
                }
            }
        }
        #expect(clean > count / 4 && clashes > count / 100, "\(clean) and \(clashes) of \(count)")
    }

    /// A profile with this policy for collisions and `error` for duplicates; nil if that profile is refused.
    private static func profile(_ text: String, on collision: ClashPolicy) throws -> Profile? {
        let badValue = try Profile(parsing: Array(text.utf8)).policies.badValue
        let section =
            #""on": {"collision": "\#(collision)", "duplicateKey": "error", "badValue": "\#(badValue)"}"#
        let others = text.dropFirst().replacing(try Regex(#"(, )?"on": \{[^{}]*\}"#), with: "")
        let separator = others == "}" || others.hasPrefix(",") ? "" : ", "
        return try? Profile(parsing: Array("{\(section)\(separator)\(others)".utf8))
    }

    /// Whether an object of the document has two members with the same key.
    private static func holdsSharedNames(_ text: [UInt8]) throws -> Bool {
        let document = try JSONDocumentParser.parse(text, maxDepth: maxDepth)
        return document.nodes.contains { node in
            var names: Set<[UInt8]> = []
            return node.children.contains { child in
                guard case .member(let name, _) = document[child].step else { return false }
                return !names.insert(name).inserted
            }
        }
    }
}

extension JSONDocument.Kind {
    fileprivate var isContainer: Bool {
        switch self {
        case .array, .object: true
        default: false
        }
    }
}

extension ExplainedPayload.Note {
    /// Whether the effect may have removed a value or written another one instead. `output` is the pointer to the value there.
    ///
    /// `prune` cannot: it removes only empty values, and the test looks for none of these.
    fileprivate func mayChangeValue(at output: String?) -> Bool {
        if rule.hasPrefix("/prune") { return false }
        return output == nil || rule.hasPrefix("/values") || rule.hasPrefix("/dates") || rule == "/records"
    }
}
