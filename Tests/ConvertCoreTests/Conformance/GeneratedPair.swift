import ConvertCore
import FoundationEssentials
import TestSupport
import Testing

/// One case of `generate_pairs.py`: a profile, a payload and the reference's result for them.
struct GeneratedPair: Decodable {
    var seed: Int
    var profile: String
    var lines: Bool
    var input: Data
    var output: Data?
    /// Errors as "code pointer"; the engine must report one of them, or one of `possible`.
    var certain: [String]
    /// Errors that may be reported as well, since another rule removes the value around them.
    var possible: [String]

    var payload: [UInt8] { [UInt8](input) }

    /// The case as text, for failure messages.
    var label: String { "seed \(seed): profile \(profile)\ninput \(String(decoding: payload, as: UTF8.self))" }

    /// The sections that a profile without losses may have.
    static let invertibleSections = "keys,rename,dates,values,move,require,records,sortKeys"

    /// Cases of one direction, from the seed `CONVERT_PAIRS_SEED` on. With `marked`, all scalars of a payload differ.
    ///
    /// `CONVERT_PAIRS_SECTIONS` names the sections that profiles may have; the default is `standard`.
    static func generate(
        _ direction: String, count: Int, sections standard: String = "all", marked: Bool = false
    ) throws -> [GeneratedPair] {
        let seed = TestVariable.number("CONVERT_PAIRS_SEED", 1)
        let sections = TestVariable.text("CONVERT_PAIRS_SECTIONS", standard)
        let result = try PythonReference.run(
            "generate_pairs.py",
            ["--count", "\(count)", "--seed", "\(seed)", "--sections", sections, "--direction", direction]
                + (marked ? ["--marked"] : []))
        try #require(result.status == 0, "\(result.errors)")
        let pairs = try result.output.split(separator: UInt8(ascii: "\n")).map { line in
            try JSONDecoder().decode(GeneratedPair.self, from: Data(line))
        }
        #expect(pairs.count == count)
        return pairs
    }
}
