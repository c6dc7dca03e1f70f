import TestSupport
import Testing

@testable import HTTPSemantics

struct ContentCodingTests {
    @Test func `a body has at most one compression`() throws {
        let rows: [(values: [String], coding: ContentCoding)] = [
            ([], .identity), ([""], .identity), (["identity"], .identity), (["Identity"], .identity),
            (["gzip"], .gzip), (["GZip"], .gzip), ([" gzip\t"], .gzip), (["x-gzip"], .gzip), (["X-GZIP"], .gzip),
            (["deflate"], .deflate), (["DEFLATE"], .deflate),
            (["identity, gzip"], .gzip), (["gzip, identity"], .gzip), (["gzip", "identity"], .gzip),
            // A recipient takes empty elements (RFC 9110 §5.6.1.2).
            ([", gzip ,,"], .gzip), (["", "deflate"], .deflate),
        ]
        for row in rows {
            #expect(try ContentCoding(contentEncoding: row.values) == row.coding, "\(row.values)")
        }
    }

    @Test func `other compressions, and several at once, are not supported`() {
        let rows = [
            ["br"], ["zstd"], ["compress"], ["*"], ["gzip;q=1"], ["g zip"], ["gzip gzip"], ["gzipp"], ["gzi"],
            ["x-deflate"],
            ["\"gzip\""], ["gzip, br"], ["br, gzip"], ["gzip, gzip"], ["gzip", "gzip"], ["gzip, deflate"],
            ["deflate", "x-gzip"], ["gzıp"],
        ]
        for values in rows {
            do throws(CodingError) {
                let coding = try ContentCoding(contentEncoding: values)
                Issue.record("\(values) was read as \(coding)")
            } catch {
                #expect(error.code == .unsupported && error.status == 415)
            }
        }
    }

    @Test func `only a real compression is named in a response`() {
        #expect(ContentCoding.gzip.fieldValue == "gzip")
        #expect(ContentCoding.deflate.fieldValue == "deflate")
        #expect(ContentCoding.br.fieldValue == "br")
        #expect(ContentCoding.zstd.fieldValue == "zstd")
        #expect(ContentCoding.identity.fieldValue == nil)
    }

    @Test func `the gateway offers only the compressions that it reads`() {
        let offered = ContentCoding.undone.split(separator: ",").map { $0.filter { $0 != " " } }
        for coding in ContentCoding.allCases where coding != .identity {
            let read = try? ContentCoding(contentEncoding: [coding.name])
            #expect(read == (offered.contains(coding.name) ? coding : nil), "\(coding)")
        }
    }

    @Test func `responses use the compressions that the program was built with`() {
        #expect(ContentCoding.applied == CodingSamples.builtIn + [.gzip, .deflate])
        #expect(ContentCoding.unnamed == [.gzip, .deflate] + CodingSamples.builtIn)
    }
}
