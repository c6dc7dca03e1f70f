import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertEngine

struct ZoneTests {
    private struct Table: Decodable {
        struct Entry: Decodable {
            var name: String
            var file: [UInt8]?
            /// Pairs: seconds since 1970, seconds east of UTC.
            var offsets: [[Int64]]
            /// Pairs: seconds on the local clock, seconds since 1970.
            var locals: [[Int64]]
        }
        var zones: [Entry]
        var footers: [Entry]
    }

    private static func table() throws -> Table { try Fixtures.decode("dates/zones.json") }

    @Test func `zones of the system agree with an independent reader`() throws {
        let entries = try Self.table().zones
        #expect(entries.count == 40)
        for entry in entries {
            let zone = try Zone(named: entry.name)
            for row in entry.offsets {
                #expect(zone.offset(at: row[0]) == Int(row[1]), "\(entry.name) at \(row[0])")
            }
            for row in entry.locals {
                #expect(zone.seconds(ofLocal: row[0]) == row[1], "\(entry.name), local \(row[0])")
            }
        }
    }

    @Test func `footers agree with an independent reader`() throws {
        for entry in try Self.table().footers {
            let rules = try ZoneRules(parsing: try #require(entry.file))
            for row in entry.offsets {
                #expect(rules.segment(at: row[0]).offset == Int(row[1]), "\(entry.name) at \(row[0])")
            }
            for row in entry.locals {
                #expect(rules.seconds(ofLocal: row[0]) == row[1], "\(entry.name), local \(row[0])")
            }
        }
    }

    /// POSIX: `n` counts from 0 and counts 29 February; day 365 of a common year is the next New Year's Day.
    @Test func `zero-based days of a footer count the leap day`() throws {
        let rules = try ZoneRules(parsing: Self.file(offset: 0, footer: "AAA-3BBB-5:15,59/1,365/-30"))
        func seconds(_ year: Int, _ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> Int64 {
            Int64(CivilDate(year: year, month: month, day: day).dayNumber * 86_400 + hour * 3_600 + minute * 60)
        }
        let summer = [
            // 1 March 01:00 at +03:00 to 30 December 18:00 at +05:15.
            (seconds(2023, 2, 28, 22, 0), seconds(2023, 12, 30, 12, 45)),
            // 29 February 01:00 at +03:00 to 29 December 18:00 at +05:15.
            (seconds(2024, 2, 28, 22, 0), seconds(2024, 12, 29, 12, 45)),
        ]
        for (start, end) in summer {
            #expect(rules.segment(at: start) == .init(start: start, end: end, offset: 18_900))
            #expect(rules.segment(at: start - 1).offset == 10_800)
            #expect(rules.segment(at: end).offset == 10_800)
        }
    }

    @Test func `a gap uses the offset before it, and an overlap the earlier instant`() throws {
        let paris = try Zone(named: "Europe/Paris")
        func local(_ month: Int, _ day: Int, _ hour: Int, _ minute: Int) -> Int64 {
            Int64(CivilDate(year: 2024, month: month, day: day).dayNumber * 86_400 + hour * 3_600 + minute * 60)
        }
        #expect(paris.seconds(ofLocal: local(3, 31, 2, 30)) == local(3, 31, 1, 30))
        #expect(paris.seconds(ofLocal: local(10, 27, 2, 30)) == local(10, 27, 0, 30))
    }

    @Test func `fixed offsets are written with a sign, two digits, a colon and two digits`() throws {
        for (name, minutes) in [("+00:00", 0), ("-00:00", 0), ("+05:45", 345), ("-11:00", -660), ("+18:00", 1_080)] {
            #expect(try Zone(named: name).offset(at: 0) == minutes * 60)
        }
        #expect(try Zone(named: "UTC") == .utc)
        for name in [
            "+18:01", "-19:00", "+0530", "+05", "+5:30", "05:30", "+05:60", "+05:30 ", "\u{2212}05:30", "Z", "utc",
        ] {
            #expect(throws: ZoneError.self, "\(name)") { try Zone(named: name) }
        }
    }

    @Test func `names outside of the zone directory or without a zone are refused`() {
        let names = [
            "", "/", "/etc/localtime", "..", "../zoneinfo/Europe/Paris", "Europe/../Europe/Paris", "Europe//Paris",
            "Europe/Paris/", "./Europe/Paris", "Europe\\Paris", "Europe/Paris\u{0}", "Europe/Pa ris", "Europe",
            "zone.tab",
            "leapseconds", "Nowhere/City", String(repeating: "A", count: 65), "Europe/Zürich",
        ]
        for name in names {
            #expect(throws: ZoneError.self, "\(name)") { try Zone(named: name) }
        }
        #expect(!ZoneFile.isZoneName("Europe/../Paris"))
        #expect(ZoneFile.isZoneName("America/Argentina/ComodRivadavia"))
        #expect(ZoneFile.isZoneName("Etc/GMT+12"))
    }

    @Test func `a zone file is read from the given directory, and refused if too large`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path
        let file = Self.file(offset: 1_234, footer: "")
        try Data(file).write(to: URL(filePath: "\(path)/Small"))
        try Data(file + [UInt8](repeating: 0, count: ZoneFile.maxFileBytes)).write(to: URL(filePath: "\(path)/Large"))
        let small = try #require(ZoneFile.read("Small", in: [path]))
        #expect(try ZoneRules(parsing: small).segment(at: 0).offset == 1_234)
        #expect(ZoneFile.read("Large", in: [path]) == nil)
        #expect(ZoneFile.read("Europe/Paris", in: [path]) == nil)
    }

    @Test func `truncated and mutated files are refused or usable, and never trap`() throws {
        let paris = try #require(ZoneFile.read("Europe/Paris", in: ZoneFile.directories))
        for count in stride(from: 0, to: paris.count, by: 7) {
            #expect(throws: ZoneError.self, "cut to \(count)") { try ZoneRules(parsing: Array(paris.prefix(count))) }
        }
        var random = SeededGenerator(seed: 9_636)
        var usable = 0
        for _ in 0..<3_000 {
            var file = random.next() & 1 == 0 ? paris : Self.file(offset: 3_600, footer: "CET-1CEST,M3.5.0,M10.5.0/3")
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                let position = Int.random(in: 0..<file.count, using: &random)
                file[position] = UInt8.random(in: 0...255, using: &random)
            }
            guard let rules = try? ZoneRules(parsing: file) else { continue }
            usable += 1
            for seconds in [Instant.representableSeconds.lowerBound, 0, Instant.representableSeconds.upperBound] {
                let instant = rules.seconds(ofLocal: seconds)
                #expect(abs(instant - seconds) <= 26 * 3_600)
            }
        }
        #expect(usable > 100)
    }

    @Test func `files with errors are refused with their name`() {
        for footer in [
            "CET", "CET-1CEST", "CE-1", "CET-1CEST,M3.5.0", "CET-1CEST,M13.5.0,M10.5.0", "CET-1CEST,M3.6.0,M10.5.0",
            "CET-25", "CET-1CEST,M3.5.0/168,M10.5.0", "CET-1CEST,J0,J365", "CET-1CEST,366,1", "<CET-1",
            "CET-1CEST,1,2,3", "CET-1:60",
        ] {
            #expect(throws: ZoneError.self, "\(footer)") {
                try ZoneRules(parsing: Self.file(offset: 0, footer: footer))
            }
        }
        #expect(throws: ZoneError.self) { try ZoneRules(parsing: Self.file(offset: 93_600, footer: "")) }
        #expect(throws: ZoneError.self) { try ZoneRules(parsing: Self.file(offset: -90_000, footer: "")) }
    }

    /// RFC 9636: version 2, one local time type, no transition, the abbreviation AAA.
    private static func file(offset: Int32, footer: String) -> [UInt8] {
        let counts: [UInt32] = [0, 0, 0, 0, 1, 4]
        var block = Array("TZif2".utf8) + [UInt8](repeating: 0, count: 15)
        for value in counts + [UInt32(bitPattern: offset)] {
            block += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
        }
        block += [0, 0] + Array("AAA\u{0}".utf8)
        return block + block + Array("\n\(footer)\n".utf8)
    }
}
