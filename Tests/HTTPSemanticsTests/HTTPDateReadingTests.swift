import Testing

@testable import HTTPSemantics

struct HTTPDateReadingTests {
    /// The time in the examples of RFC 9110.
    private static let moment: Int64 = 784_111_777

    @Test func `all three forms of RFC 9110 are read`() {
        for text in ["Sun, 06 Nov 1994 08:49:37 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"] {
            #expect(HTTPDate.seconds(Array(text.utf8)[...], now: Self.moment) == Self.moment, "\(text)")
        }
    }

    @Test func `written dates are read again`() {
        for seconds: Int64 in [0, 951_782_399, 951_782_400, 951_868_800, 4_107_542_400, 253_402_300_799] {
            let text = String(decoding: HTTPDate.imfFixdate(seconds), as: UTF8.self)
            #expect(HTTPDate.seconds(Array(text.utf8)[...], now: 0) == seconds, "\(text)")
        }
    }

    @Test func `moments outside of 1970 to 9999 are written as the nearest one inside`() {
        let rows: [(Int64, String)] = [
            (-1, "Thu, 01 Jan 1970 00:00:00 GMT"), (.min, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (253_402_300_800, "Fri, 31 Dec 9999 23:59:59 GMT"), (.max, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ]
        for (seconds, text) in rows {
            #expect(String(decoding: HTTPDate.imfFixdate(seconds), as: UTF8.self) == text, "\(seconds)")
        }
    }

    /// RFC 9110 §5.6.7: a year that appears to be more than 50 years ahead is in the past.
    @Test func `a two-digit year is the nearest one that is at most 50 years ahead`() {
        let in2026: Int64 = 1_790_000_000
        func year(_ digits: String) -> String? {
            HTTPDate.seconds(Array("Friday, 01-Jan-\(digits) 00:00:00 GMT".utf8)[...], now: in2026).map {
                String(decoding: HTTPDate.imfFixdate($0), as: UTF8.self)
            }.map { String($0.dropFirst(12).prefix(4)) }
        }
        #expect(year("26") == "2026")
        #expect(year("76") == "2076")
        #expect(year("77") == "1977")
    }

    @Test func `anything else is refused`() {
        for text in [
            "", "yesterday", "Sun, 06 Nov 1994 08:49:37", "Sun, 06 Nov 1994 08:49:37 CET",
            "Sun, 06 Now 1994 08:49:37 GMT",
            "Sun, 32 Nov 1994 08:49:37 GMT", "Sun, 06 Nov 1994 24:00:00 GMT", "Sun, 06 Nov 1994 08:49 GMT",
            "Sun, 06 Nov 1994 08:49:+1 GMT", "Sun, 06 Nov 1994 24:49:37 GMT", "Sun, 06 nov 1994 08:49:37 GMT",
            "1994-11-06T08:49:37Z", "Wed, 31 Dec 1969 23:59:59 GMT", "Mon, 01 Jan 0001 00:00:00 GMT",
        ] {
            #expect(HTTPDate.seconds(Array(text.utf8)[...], now: 0) == nil, "\(text)")
        }
    }
}
