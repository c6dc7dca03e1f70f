import Testing

@testable import HTTPSemantics

struct HTTPDateTests {
    /// The first row is the example of RFC 9110; the others are from Python's `email.utils.formatdate`.
    @Test func `moments are written in the format of HTTP`() {
        let rows: [(seconds: Int64, text: String)] = [
            (784_111_777, "Sun, 06 Nov 1994 08:49:37 GMT"),
            (0, "Thu, 01 Jan 1970 00:00:00 GMT"),
            (951_782_400, "Tue, 29 Feb 2000 00:00:00 GMT"),
            (951_868_799, "Tue, 29 Feb 2000 23:59:59 GMT"),
            (951_868_800, "Wed, 01 Mar 2000 00:00:00 GMT"),
            (1_704_067_199, "Sun, 31 Dec 2023 23:59:59 GMT"),
            (4_107_542_400, "Mon, 01 Mar 2100 00:00:00 GMT"),
            (253_402_300_799, "Fri, 31 Dec 9999 23:59:59 GMT"),
        ]
        for row in rows { #expect(String(decoding: HTTPDate.imfFixdate(row.seconds), as: UTF8.self) == row.text) }
    }

    @Test func `log lines have milliseconds`() {
        #expect(HTTPDate.rfc3339(nanoseconds: 784_111_777_004_999_999) == "1994-11-06T08:49:37.004Z")
        #expect(HTTPDate.rfc3339(nanoseconds: 784_111_777_100_000_000) == "1994-11-06T08:49:37.100Z")
    }

}
