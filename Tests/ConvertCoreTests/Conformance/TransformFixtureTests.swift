import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// One case of `Fixtures/transform`: a profile, a payload and the expected result.
struct TransformFixture {
    struct ExpectedError: Decodable {
        var code: String
        /// Nil where the format fixes only the kind of the error, as in malformed text.
        var pointer: String?
    }

    enum Expected {
        case output([UInt8])
        case error(ExpectedError)
    }

    var name: String
    var profile: [UInt8]
    var framing: Converter.Framing
    var input: [UInt8]
    var expected: Expected

    var direction: Profile.Direction { name.hasPrefix("inverse-") ? .inverse : .forward }

    /// All cases, sorted by name.
    static func all() throws -> [TransformFixture] {
        try Fixtures.names(in: "transform").compactMap { name in
            let path = "transform/\(name)"
            guard Fixtures.exists("\(path)/profile.json") else { return nil }
            let isLines = Fixtures.exists("\(path)/input.ndjson")
            let ending = isLines ? "ndjson" : "json"
            let error = "\(path)/expected-error.json"
            let expected: Expected =
                Fixtures.exists(error)
                ? .error(try Fixtures.decode(error)) : .output(try Fixtures.bytes("\(path)/expected.\(ending)"))
            return TransformFixture(
                name: name, profile: try Fixtures.bytes("\(path)/profile.json"),
                framing: isLines ? .lines : .document, input: try Fixtures.bytes("\(path)/input.\(ending)"),
                expected: expected)
        }
    }
}

/// Each fixture gives its expected result, whole and in pieces.
struct TransformFixtureTests {
    @Test func `every case has its expected outcome, whole, cut anywhere and in random cuts`() throws {
        let cases = try TransformFixture.all()
        #expect(cases.count >= 250)
        var random = SeededGenerator(seed: 4)
        for fixture in cases {
            let plan = try Profile(parsing: fixture.profile).compile(fixture.direction)
            var converter = Converter(plan, framing: fixture.framing)
            let whole = ConverterTrial(&converter, fixture.input)
            Self.check(whole, fixture)
            var cuts = [Array(0..<fixture.input.count)] + (0..<fixture.input.count).map { [$0] }
            for _ in 0..<4 { cuts.append(random.cuts(count: fixture.input.count, most: 6)) }
            for cut in cuts {
                let pieces = ConverterTrial(&converter, fixture.input, cuts: cut)
                #expect(pieces.agrees(with: whole), "\(fixture.name) cut at \(cut): \(pieces), whole: \(whole)")
            }
        }
    }

    private static func check(_ run: ConverterTrial, _ fixture: TransformFixture) {
        switch fixture.expected {
        case .output(let bytes):
            #expect(
                run.wholeOutput == bytes,
                "\(fixture.name): expected \(String(decoding: bytes, as: UTF8.self)), got \(run)"
            )
        case .error(let expected):
            #expect(run.error?.code.rawValue == expected.code, "\(fixture.name): \(run)")
            if let pointer = expected.pointer { #expect(run.error?.pointer == pointer, "\(fixture.name): \(run)") }
        }
    }
}
