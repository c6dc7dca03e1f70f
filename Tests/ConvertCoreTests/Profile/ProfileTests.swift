import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct ProfileTests {
    private static func texts(_ selectors: [LocatedSelector]) -> [String] { selectors.map(\.selector.description) }

    @Test func `the smallest profiles are read`() throws {
        let keys = try Profile(#"{ "keys": "camelCase" }"#)
        #expect(keys.keys?.target == .camelCase)
        #expect(keys.keys?.location == DocumentLocation(pointer: "/keys", line: 1, column: 11))

        let renames = try Profile(#"{ "rename": { "firstName": "fn", "lastName": "ln" } }"#).renames
        #expect(renames.map(\.selector.description) == ["firstName", "lastName"])
        #expect(renames.map(\.target) == [NewKey(Array("fn".utf8)), NewKey(Array("ln".utf8))])

        let dates = try Profile(#"{ "dates": "rfc3339" }"#).dates
        #expect(dates.map(\.to) == [.rfc3339])
        #expect(dates.map(\.scans) == [true])
        #expect(dates.map(\.zone) == [.utc])

        #expect(try Profile("{}") == Profile())
    }

    @Test func `missing settings have the defaults of the format`() throws {
        let profile = try Profile(
            #"{"keys": {}, "on": {}, "output": {}, "dates": {"at": "t"}, "rename": {}, "examples": []}"#)
        #expect(profile.keys?.target == .preserve)
        #expect(profile.keys?.acronymStyle == .title)
        #expect(profile.policies == Policies())
        #expect(profile.policies.collision == .error && profile.policies.duplicateKey == .error)
        #expect(profile.policies.badValue == .error && profile.policies.lossyKey == .keep)
        #expect(profile.output == OutputOptions(indent: 0, escapes: .preserve))
        #expect(profile.dates.map(\.from) == [[]])
        #expect(profile.dates[0].assumeZone == nil && profile.dates[0].precision == nil)
        #expect(profile.roundTrip == .ignore)
        #expect(profile.warnings.isEmpty)
    }

    @Test func `every supported member is read`() throws {
        let profile = try Profile(
            #"""
            { "$schema": "https://example.org/profile.json", "version": 1, "name": "mobile", "description": "Short",
              "keys": { "case": "camelCase", "from": "snake_case", "acronyms": ["ID", "URL"], "acronymStyle": "asListed",
                        "except": ["_links", "/users/*"], "opaque": "/**/metadata" },
              "rename": { "first_name": "fn", "/a~1b/*/x": "", "caf\u00e9": "e\u0301" },
              "dates": [ { "at": ["created_at", "*_date"], "from": ["auto", {"pattern": "dd/MM/yyyy"}], "to": "rfc3339",
                           "precision": 3, "zone": "Europe/Paris", "assumeZone": "+02:00" },
                         { "at": "/log/*/t", "to": "epoch-ms", "assumeZone": "reject" }, { "to": {"pattern": "yyyy"} } ],
              "on": { "collision": "first", "duplicateKey": "keep", "badValue": "keep", "lossyKey": "error" },
              "output": { "indent": 2, "escapes": "ascii", "sortKeys": false },
              "roundTrip": "ignore",
              "examples": [ { "out": {"fn" : 1.0}, "in": [ "a", {"a":1,"a":2}, "\ud800" ] } ] }
            """#)
        #expect(profile.name == "mobile")
        #expect(profile.summary == "Short")
        let keys = try #require(profile.keys)
        #expect(keys.target == .camelCase && keys.from == .snakeCase)
        #expect(keys.acronyms == ["ID", "URL"])
        #expect(keys.acronymStyle == .asListed)
        #expect(Self.texts(keys.except) == ["_links", "/users/*"])
        #expect(keys.except[1].location == DocumentLocation(pointer: "/keys/except/1", line: 3, column: 34))
        #expect(Self.texts(keys.opaque) == ["/**/metadata"])
        #expect(keys.opaque[0].location.pointer == "/keys/opaque")

        #expect(
            profile.renames.map(\.location.pointer) == ["/rename/first_name", "/rename/~1a~01b~1*~1x", "/rename/café"])
        #expect(profile.renames[2].target == NewKey(Array("e\u{301}".utf8)))
        #expect(profile.renames[0].location == DocumentLocation(pointer: "/rename/first_name", line: 4, column: 15))

        #expect(profile.dates.map(\.location.pointer) == ["/dates/0", "/dates/1", "/dates/2"])
        #expect(profile.dates[0].at.map(\.location.pointer) == ["/dates/0/at/0", "/dates/0/at/1"])
        #expect(profile.dates[0].from == [.auto, .pattern(try DatePattern("dd/MM/yyyy"))])
        #expect(profile.dates[0].precision == 3)
        #expect(profile.dates[0].zone.name == "Europe/Paris" && profile.dates[0].assumeZone?.name == "+02:00")
        #expect(profile.dates[1].at.map(\.location.pointer) == ["/dates/1/at"])
        #expect(profile.dates[1].to == .epochMilliseconds && profile.dates[1].assumeZone == nil)
        #expect(profile.dates.map(\.scans) == [false, false, true])

        #expect(profile.policies.collision == .first && profile.policies.duplicateKey == .keep)
        #expect(profile.policies.badValue == .keep && profile.policies.lossyKey == .error)
        #expect(profile.output == OutputOptions(indent: 2, escapes: .ascii))
        #expect(profile.examples.map(\.input) == [Array(#"[ "a", {"a":1,"a":2}, "\ud800" ]"#.utf8)])
        #expect(profile.examples.map(\.output) == [Array(#"{"fn" : 1.0}"#.utf8)])
        #expect(profile.examples.map(\.location.pointer) == ["/examples/0"])
    }

    @Test func `every value of an enumeration is accepted`() throws {
        let cases = [
            "camelCase", "PascalCase", "snake_case", "SCREAMING_SNAKE_CASE", "kebab-case", "Train-Case", "dot.case",
            "flatcase", "preserve",
        ]
        for name in cases {
            #expect(try Profile("{\"keys\": \"\(name)\"}").keys?.target.rawValue == name)
            #expect(try Profile("{\"keys\": {\"from\": \"\(name)\"}}").keys?.from?.rawValue == name)
        }
        let inputs = [
            "auto", "rfc3339", "iso8601", "date", "epoch-s", "epoch-ms", "epoch-us", "epoch-ns", "rfc2822", "http-date",
            "asctime", "dotnet-json", "dotnet-ticks", "filetime", "apple-s",
        ]
        let notWritten = ["auto", "iso8601", "asctime"]
        for name in inputs {
            let profile = try Profile("{\"dates\": {\"at\": \"t\", \"from\": \"\(name)\"}}")
            #expect(profile.dates.map { $0.from.map(\.name) } == [[name]])
            let faults = profileFaults(Array("{\"dates\": {\"at\": \"t\", \"to\": \"\(name)\"}}".utf8))
            #expect(faults.map(\.pointer) == (notWritten.contains(name) ? ["/dates/to"] : []), "\(name)")
        }
    }

    @Test func `zones can be names, offsets up to 18 hours, or UTC`() {
        let rows: [(zone: String, isZone: Bool)] = [
            ("UTC", true), ("Europe/Paris", true), ("America/Argentina/Buenos_Aires", true), ("Etc/GMT+5", true),
            ("+00:00", true), ("-18:00", true), ("+05:45", true), ("+18:01", false), ("+19:00", false),
            ("+05:60", false),
            ("+0545", false), ("+5:45", false), ("", false), ("Europe Paris", false), ("../etc/passwd", false),
            ("+aa:00", false),
        ]
        for row in rows {
            for member in ["zone", "assumeZone"] {
                let faults = profileFaults(Array("{\"dates\": {\"at\": \"t\", \"\(member)\": \"\(row.zone)\"}}".utf8))
                #expect(faults.map(\.pointer) == (row.isZone ? [] : ["/dates/\(member)"]), "\(row.zone)")
            }
        }
    }
}
