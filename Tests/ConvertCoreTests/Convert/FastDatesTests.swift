import TestSupport
import Testing

@testable import ConvertProfiles

/// Date-times of the fixed shape take a shorter path if they are completely in one chunk. Fed byte by byte they never take it.
struct FastDatesTests {
    private static let profiles = [
        #"{"dates": "rfc3339"}"#, #"{"dates": [{"to": "rfc3339", "precision": 3}]}"#,
        #"{"dates": [{"at": "t", "to": "rfc3339"}], "on": {"badValue": "keep"}}"#,
        #"{"dates": [{"at": "t", "from": ["rfc3339"], "to": "rfc3339", "precision": 9}], "on": {"badValue": "keep"}}"#,
        #"{"dates": [{"at": "t", "from": ["iso8601"], "to": "rfc3339", "precision": 0}], "on": {"badValue": "keep"}}"#,
        #"{"dates": [{"at": "t", "from": ["epoch-s", "auto"], "to": "rfc3339"}], "on": {"badValue": "keep"}}"#,
        #"{"dates": [{"at": "t", "to": "rfc3339", "zone": "+01:00"}], "on": {"badValue": "keep"}}"#,
        #"{"dates": [{"at": "t", "to": "epoch-ms"}], "on": {"badValue": "keep"}}"#,
    ]

    private static func payload(_ text: String, behind: Int) -> [UInt8] {
        Array("[{\"t\":\"\(text)\"},\"\(text)\"]\(String(repeating: " ", count: behind))".utf8)
    }

    /// RFC 3339 in UTC, worked out by hand.
    @Test func `date texts with the fixed layout are converted to UTC`() throws {
        let rows: [(text: String, plain: String, milliseconds: String)] = [
            ("2024-03-01T12:00:00Z", "2024-03-01T12:00:00Z", "2024-03-01T12:00:00.000Z"),
            ("2024-03-01T12:00:00.120Z", "2024-03-01T12:00:00.12Z", "2024-03-01T12:00:00.120Z"),
            ("2024-03-01T12:00:00.000Z", "2024-03-01T12:00:00Z", "2024-03-01T12:00:00.000Z"),
            ("2024-03-01T12:00:00.123456789Z", "2024-03-01T12:00:00.123456789Z", "2024-03-01T12:00:00.123Z"),
            ("2024-03-01T12:00:00.9999Z", "2024-03-01T12:00:00.9999Z", "2024-03-01T12:00:00.999Z"),
            ("2024-03-01T12:00:00.100200300Z", "2024-03-01T12:00:00.1002003Z", "2024-03-01T12:00:00.100Z"),
            ("2024-03-01T12:00:00.000000000Z", "2024-03-01T12:00:00Z", "2024-03-01T12:00:00.000Z"),
            ("2024-03-01T12:00:00.00000001-00:30", "2024-03-01T12:30:00.00000001Z", "2024-03-01T12:30:00.000Z"),
            ("2024-03-01T12:00:00.5000+02:00", "2024-03-01T10:00:00.5Z", "2024-03-01T10:00:00.500Z"),
            ("2024-03-01T12:00:00.0000000000Z", "2024-03-01T12:00:00Z", "2024-03-01T12:00:00.000Z"),
            ("2024-03-01T12:00:00+02:00", "2024-03-01T10:00:00Z", "2024-03-01T10:00:00.000Z"),
            ("2024-03-01T00:30:00.5+02:00", "2024-02-29T22:30:00.5Z", "2024-02-29T22:30:00.500Z"),
            ("2023-12-31T23:59:59-05:45", "2024-01-01T05:44:59Z", "2024-01-01T05:44:59.000Z"),
            ("2024-01-01T00:00:00+00:01", "2023-12-31T23:59:00Z", "2023-12-31T23:59:00.000Z"),
            ("2024-02-28T23:00:00-18:00", "2024-02-29T17:00:00Z", "2024-02-29T17:00:00.000Z"),
            ("2024-06-15T12:00:00-00:00", "2024-06-15T12:00:00Z", "2024-06-15T12:00:00.000Z"),
            ("0001-01-01T00:00:00Z", "0001-01-01T00:00:00Z", "0001-01-01T00:00:00.000Z"),
            // Texts that are not date-times stay as they are; unusual date-times are read by the full grammar.
            ("0001-01-01T00:00:00+00:01", "0001-01-01T00:00:00+00:01", "0001-01-01T00:00:00+00:01"),
            ("9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59-00:01", "9999-12-31T23:59:59-00:01"),
            ("2023-02-29T00:00:00Z", "2023-02-29T00:00:00Z", "2023-02-29T00:00:00Z"),
            ("1900-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "1900-02-29T00:00:00Z"),
            ("2000-02-29T00:00:00Z", "2000-02-29T00:00:00Z", "2000-02-29T00:00:00.000Z"),
            ("2024-04-31T00:00:00Z", "2024-04-31T00:00:00Z", "2024-04-31T00:00:00Z"),
            ("2024-13-01T00:00:00Z", "2024-13-01T00:00:00Z", "2024-13-01T00:00:00Z"),
            ("2024-00-01T00:00:00Z", "2024-00-01T00:00:00Z", "2024-00-01T00:00:00Z"),
            ("2024-01-00T00:00:00Z", "2024-01-00T00:00:00Z", "2024-01-00T00:00:00Z"),
            ("0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z", "0000-01-01T00:00:00Z"),
            ("2024-01-01T24:00:00Z", "2024-01-02T00:00:00Z", "2024-01-02T00:00:00.000Z"),
            ("2016-12-31T23:59:60Z", "2017-01-01T00:00:00Z", "2017-01-01T00:00:00.000Z"),
            ("2024-01-01T25:00:00Z", "2024-01-01T25:00:00Z", "2024-01-01T25:00:00Z"),
            ("2024-01-01T00:60:00Z", "2024-01-01T00:60:00Z", "2024-01-01T00:60:00Z"),
            ("2024-01-01T00:00:61Z", "2024-01-01T00:00:61Z", "2024-01-01T00:00:61Z"),
            ("2024-01-01T00:00:00", "2024-01-01T00:00:00", "2024-01-01T00:00:00"),
            ("2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.Z", "2024-01-01T00:00:00.Z"),
            ("2024-01-01T00:00:00Zx", "2024-01-01T00:00:00Zx", "2024-01-01T00:00:00Zx"),
            ("2024-01-01T00:00:00+18:01", "2024-01-01T00:00:00+18:01", "2024-01-01T00:00:00+18:01"),
            ("2024-01-01T00:00:00+01:60", "2024-01-01T00:00:00+01:60", "2024-01-01T00:00:00+01:60"),
            ("2024-01-01T00:00:00.1234567891Z", "2024-01-01T00:00:00.123456789Z", "2024-01-01T00:00:00.123Z"),
        ]
        for (profile, expected) in [
            (Self.profiles[0], \(text: String, plain: String, milliseconds: String).plain),
            (Self.profiles[1], \.milliseconds),
        ] {
            let plan = try Profile(profile).compile(.forward)
            for row in rows {
                for behind in [0, 500] {
                    let trial = ConverterTrial(plan, Self.payload(row.text, behind: behind))
                    #expect(
                        trial.text == String(decoding: Self.payload(row[keyPath: expected], behind: 0), as: UTF8.self))
                }
            }
        }
    }

    @Test func `dates have the same outcome whole and byte by byte, under every rule`() throws {
        var random = SeededGenerator(seed: 3339)
        let forms = [
            "2024-02-28T23:15:30Z", "2023-12-31T00:00:00.250+02:00", "1999-03-01T12:30:45-11:30",
            "2024-01-01T00:00:00.123456789Z", "2024-05-06", "2024-05-06 07:08:09Z", "20240506T070809Z",
            "Mon, 06 May 2024 07:08:09 GMT", "1714979289", "0001-01-01T00:00:00+18:00",
        ]
        let damage = Array("0123456789-+:.TZtz ,\"\\u".utf8)
        for profile in Self.profiles {
            let plan = try Profile(profile).compile(.forward)
            for _ in 0..<400 {
                var text = Array(forms.randomElement(using: &random)!.utf8)
                for _ in 0..<Int.random(in: 0...2, using: &random) {
                    let position = Int.random(in: 0..<text.count, using: &random)
                    switch Int.random(in: 0...2, using: &random) {
                    case 0: text[position] = damage.randomElement(using: &random)!
                    case 1: text.insert(damage.randomElement(using: &random)!, at: position)
                    default: text.remove(at: position)
                    }
                }
                let payload = Self.payload(String(decoding: text, as: UTF8.self), behind: 0)
                let whole = ConverterTrial(plan, payload)
                let singly = ConverterTrial(plan, payload, cuts: Array(0..<payload.count))
                #expect(whole.agrees(with: singly), "\(profile) \(String(decoding: payload, as: UTF8.self))")
                let cut = Int.random(in: 0..<payload.count, using: &random)
                #expect(whole.agrees(with: ConverterTrial(plan, payload, cuts: [cut])), "cut at \(cut)")
            }
        }
    }
}
