import TestSupport
import Testing

@testable import ConvertEngine

struct DateFuzzTests {
    private static let seeds = [
        "2024-02-29T12:34:56.789Z", "2024-02-29 12:34:56,5+05:45", "20240229T123456-0330", "2024-W09-4", "2024-060",
        "2024-02-29", "Sun, 06 Nov 1994 08:49:37 GMT", "6 Nov 94 08:49 EST (a (b) c)", "Sunday, 06-Nov-94 08:49:37 GMT",
        "Sun Nov  6 08:49:37 1994", "/Date(1700000000000+0100)/", "2024/02/29 12:34:56", "1700000000", "-1700000000.25",
        "1700000000123456789", "2016-12-31T23:59:60Z", "9999-12-31T24:00:00+01:00", "0001-01-01T00:00:00-01:00",
    ]
    private static let alphabet = Array("0123456789-+:.,/TtZzW ()\\eEJanSu\t\r\n\u{0}\u{80}".utf8)

    private static func mutated(_ random: inout SeededGenerator) -> [UInt8] {
        var bytes = Array(seeds.randomElement(using: &random)?.utf8 ?? "".utf8)
        for _ in 0..<Int.random(in: 0...3, using: &random) {
            let position = Int.random(in: 0...bytes.count, using: &random)
            let byte = alphabet.randomElement(using: &random) ?? 0
            switch Int.random(in: 0..<5, using: &random) {
            case 0: bytes.insert(byte, at: position)
            case 1: bytes.removeSubrange(min(position, max(bytes.count - 1, 0))..<bytes.count)
            case 2: bytes.insert(contentsOf: bytes.prefix(position), at: position)
            default: if position < bytes.count { bytes[position] = byte }
            }
        }
        return bytes
    }

    private static func result(_ rule: DateRule, _ bytes: [UInt8], isNumber: Bool = false) -> (Bool, [UInt8]) {
        var output = ByteBuffer()
        let outcome =
            isNumber ? rule.rewrite(number: bytes.span, into: &output) : rule.rewrite(string: bytes.span, into: &output)
        return (outcome == .string || outcome == .token, [UInt8](output))
    }

    @Test func `a date read by auto is the same instant after RFC 3339`() throws {
        let zone = try Zone(named: "Australia/Lord_Howe")
        let forward = DateRule(from: [], to: .rfc3339, precision: nil, zone: zone, assumeZone: zone, isScan: false)
        let count = DateRule(
            from: [], to: .epochNanoseconds, precision: nil, zone: .utc, assumeZone: zone, isScan: false)
        var random = SeededGenerator(seed: 1)
        var taken = 0
        for _ in 0..<60_000 {
            let bytes = Self.mutated(&random)
            let (isTaken, written) = Self.result(forward, bytes)
            guard isTaken else {
                if !written.isEmpty { Issue.record("something was written for \(bytes)") }
                continue
            }
            taken += 1
            let (isSame, again) = Self.result(forward, written)
            let instants = (Self.result(count, bytes), Self.result(count, written))
            // Near the ends of the years 0001–9999 the local year may fit while the year in UTC does not.
            guard isSame, again == written, instants.0 == instants.1 else {
                Issue.record("\(String(decoding: bytes, as: UTF8.self)) is not the same when read again")
                continue
            }
        }
        #expect(taken > 10_000)
    }

    @Test func `a scan accepts no date that auto refuses, and its fast check misses none`() {
        let scan = DateRule(from: [], to: .rfc3339, precision: nil, zone: .utc, assumeZone: nil, isScan: true)
        let auto = DateRule(from: [], to: .rfc3339, precision: nil, zone: .utc, assumeZone: nil, isScan: false)
        var random = SeededGenerator(seed: 2)
        var taken = 0
        for _ in 0..<60_000 {
            let bytes = Self.mutated(&random)
            // A control character is an escape in a payload, which makes more strings candidates.
            if !bytes.contains(where: { $0 < 0x20 }), DateForm.readScanned(bytes.span) != nil {
                let reader = ChunkReader(bytes.span)
                let isCandidate = DateScan.isCandidate(reader.nextWord, ninth: bytes[DateScan.windowBytes - 1])
                #expect(isCandidate, "\(bytes)")
            }
            let scanned = Self.result(scan, bytes)
            guard scanned.0 else { continue }
            taken += 1
            if scanned != Self.result(auto, bytes) { Issue.record("\(bytes)") }
        }
        #expect(taken > 5_000)
    }

    @Test func `every date form accepts or refuses any bytes, as a string and as a number`() throws {
        let pattern = DateForm.pattern(try DatePattern("EEEE d MMMM y h:mm:ss a z"))
        var random = SeededGenerator(seed: 3)
        for form in DateForm.names.compactMap({ DateForm(named: $0) }) + [pattern] {
            let rule = DateRule(
                from: [form], to: .dotnetTicks, precision: nil, zone: .utc, assumeZone: .utc, isScan: false)
            for _ in 0..<3_000 {
                let bytes = Self.mutated(&random)
                for isNumber in [false, true] {
                    let (isTaken, written) = Self.result(rule, bytes, isNumber: isNumber)
                    if isTaken == written.isEmpty { Issue.record("\(form.name): \(bytes)") }
                }
            }
        }
    }
}
