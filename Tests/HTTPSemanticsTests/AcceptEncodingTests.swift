import Testing

@testable import HTTPSemantics

struct AcceptEncodingTests {
    /// Whether this build includes the libraries of zstd and brotli.
    private static let builtIn: (zstd: Bool, br: Bool) = {
        var builtIn = (zstd: false, br: false)
        #if Zstandard
            builtIn.zstd = true
        #endif
        #if Brotli
            builtIn.br = true
        #endif
        return builtIn
    }()

    private typealias Row = (field: String, best: ContentCoding?)

    private func check(_ rows: [Row]) {
        for row in rows {
            #expect(AcceptEncoding([row.field]).best == row.best, "Accept-Encoding: \(row.field)")
        }
    }

    @Test func `the examples of RFC 9110 section 12.5.3`() {
        check([
            ("compress, gzip", .gzip),
            ("", .identity),
            ("*", .gzip),
            ("compress;q=0.5, gzip;q=1.0", .gzip),
            ("gzip;q=1.0, identity; q=0.5, *;q=0", .gzip),
        ])
    }

    @Test func `any number of empty elements is ignored`() {
        let nothing = String(repeating: ",\t, ,", count: 4_000)
        check([
            (nothing, .identity), ("\(nothing)gzip", .gzip), ("identity;q=0\(nothing),deflate\(nothing)", .deflate),
            ("\(nothing)identity;q=0\(nothing)", nil),
        ])
    }

    @Test func `the compression with the highest weight is used`() {
        check([
            ("gzip", .gzip), ("deflate", .deflate), ("identity", .identity),
            ("gzip, deflate", .gzip), ("deflate, gzip", .gzip), ("gzip, deflate, compress", .gzip),
            ("compress", .identity), ("compress, exi", .identity), ("compress;q=1.0, deflate;q=0.1", .deflate),
            ("gzip;q=0.5, deflate", .deflate), ("gzip;q=0.5, deflate;q=0.501", .deflate),
            ("gzip;q=0.001", .gzip),
            ("identity, gzip", .gzip), ("identity;q=1, gzip;q=0.9", .identity), ("identity;q=0.5, gzip;q=0.9", .gzip),
            ("gzip;q=0.8, *;q=0.9", .deflate), ("gzip;q=0.8, *;q=0.1", .gzip), ("*;q=0.5, identity", .identity),
            ("*;q=0.1", .gzip), ("gzip;q=0, *", .deflate), ("identity, *", .gzip),
        ])
    }

    @Test func `compressions are accepted if the program was built with them, the cheapest first`() {
        let (zstd, br) = Self.builtIn
        let both: ContentCoding? = zstd ? .zstd : br ? .br : nil
        check([
            ("zstd", zstd ? .zstd : .identity), ("br", br ? .br : .identity), ("br, zstd", both ?? .identity),
            ("gzip, deflate, br, zstd", both ?? .gzip), ("gzip, deflate, br", br ? .br : .gzip),
            ("BR, gzip", br ? .br : .gzip), ("Zstd;q=0.5, gzip;q=0.5", zstd ? .zstd : .gzip),
            ("br;q=0.9, gzip", .gzip), ("br, gzip;q=0.9", br ? .br : .gzip), ("zstd;q=0, br;q=0, gzip", .gzip),
            ("br;q=0.2, zstd;q=0.1", br ? .br : zstd ? .zstd : .identity),
            ("zstd;q=0.1", zstd ? .zstd : .identity), ("zstd;q=0", .identity), ("x-br", .identity), ("bro", .identity),
            ("identity;q=0, br", br ? .br : nil), ("*;q=0, zstd", zstd ? .zstd : nil),
            ("identity;q=0.5, br;q=0.4", .identity), ("br;q=2, gzip;q=0.1", .gzip),
        ])
    }

    @Test func `a named compression comes before one that only a wildcard allows`() {
        let (zstd, br) = Self.builtIn
        check([
            ("*", .gzip), ("deflate, *", .deflate), ("br, *", br ? .br : .gzip), ("br;q=0.5, *", .gzip),
            ("gzip;q=0, deflate;q=0, *", zstd ? .zstd : br ? .br : .identity),
            ("gzip;q=0, deflate;q=0, zstd;q=0, *", br ? .br : .identity),
            ("gzip;q=0, deflate;q=0, identity;q=0, *;q=0.1", zstd ? .zstd : br ? .br : nil),
        ])
    }

    @Test func `an excluded compression is never used, and identity only if it is excluded too`() {
        check([
            ("gzip;q=0", .identity), ("gzip;q=0.000, deflate;q=0.0", .identity), ("gzip;q=0, deflate", .deflate),
            ("identity;q=0", nil), ("*;q=0", nil), ("compress, *;q=0", nil), ("compress, identity;q=0", nil),
            ("gzip;q=0, identity;q=0", nil), ("identity;q=0, gzip", .gzip), ("identity;q=0, *", .gzip),
            ("identity;q=0, gzip;q=0, *", .deflate), ("*;q=0, identity", .identity),
            ("*;q=0, identity;q=0.1", .identity), ("*;q=0, deflate", .deflate), ("*;q=0, deflate;q=0", nil),
        ])
    }

    @Test func `names and weights follow the grammar`() {
        check([
            ("GZIP", .gzip), ("x-gzip", .gzip), ("X-Gzip;q=0.5", .gzip), ("x-gzip;q=0, deflate", .deflate),
            ("gzip;Q=0.5", .gzip), ("gzip ; q=0.5", .gzip), ("gzip\t;\tq=1.000", .gzip), ("gzip;q=1.", .gzip),
            ("gzip;q=0.", .identity), (" , gzip ,, ", .gzip), (",", .identity), ("gzip,deflate;q=1", .gzip),
            ("identity;Q=0", nil), ("IDENTITY;q=0.000", nil),
        ])
    }

    @Test func `elements that cannot be read count as absent`() {
        check([
            ("gzip;q=2", .identity), ("gzip;q=1.001", .identity), ("gzip;q=0.1234", .identity),
            ("gzip;q=.5", .identity),
            ("gzip;q=-1", .identity), ("gzip;q=+1", .identity), ("gzip;q=01", .identity), ("gzip;q=1e0", .identity),
            ("gzip;q=", .identity), ("gzip;q", .identity), ("gzip;", .identity), ("gzip;q =1", .identity),
            ("gzip;q= 1", .identity), ("gzip;q=\"1\"", .identity), ("gzip;level=9", .identity),
            ("gzip;q=1;level=9", .identity), ("gzip;q=1;", .identity), ("gzip q=1", .identity), ("g*", .identity),
            ("**", .identity), ("*;q=9, deflate;q=0.1", .deflate), ("identity;q=nothing", .identity),
            // A decimal comma begins an element that is not a coding.
            ("gzip;q=1,5", .gzip), ("gzip;q=0,5", .identity), ("gzip;q=\u{FF11}", .identity),
        ])
    }

    @Test func `if a compression is listed twice, the first element counts`() {
        check([
            ("gzip;q=0, gzip", .identity), ("gzip, gzip;q=0", .gzip), ("gzip;q=0, x-gzip", .identity),
            ("*, *;q=0", .gzip), ("gzip;q=bad, gzip", .gzip),
        ])
    }

    @Test func `several fields are one list`() {
        #expect(AcceptEncoding(["deflate;q=0.5", "gzip;q=0.4"]).best == .deflate)
        #expect(AcceptEncoding(["", "gzip"]).best == .gzip)
        #expect(AcceptEncoding(["gzip", "identity;q=0"]).best == .gzip)
        #expect(AcceptEncoding(["compress", "identity;q=0"]).best == nil)
    }

    @Test func `without the field, nothing is compressed`() {
        let silent = AcceptEncoding([])
        #expect(silent.best == .identity)
        for coding in ContentCoding.allCases { #expect(silent.accepts(coding)) }
    }

    @Test func `a small response can be sent uncompressed unless that is excluded`() {
        let rows: [(field: String, accepted: Set<ContentCoding>)] = [
            ("", [.identity]), ("gzip", [.gzip, .identity]), ("gzip, identity;q=0", [.gzip]),
            ("*", Set(ContentCoding.allCases)), ("*;q=0", []), ("*;q=0, gzip", [.gzip]),
            ("gzip;q=0, *", Set(ContentCoding.allCases).subtracting([.gzip])), ("compress", [.identity]),
            ("br, zstd;q=0", [.br, .identity]),
        ]
        for row in rows {
            let field = AcceptEncoding([row.field])
            #expect(Set(ContentCoding.allCases.filter(field.accepts)) == row.accepted, "\(row.field)")
        }
    }
}
