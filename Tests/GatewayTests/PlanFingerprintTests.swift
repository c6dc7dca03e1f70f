import ConvertEngine
import ConvertProfiles
import GatewayTestSupport
import HTTPWire
import TestSupport
import Testing

@testable import Gateway
@testable import HTTPSemantics
@testable import Text

struct PlanFingerprintTests {
    /// The test vectors of RFC 9923, and of the function's authors, for FNV-1a with 64 bits.
    @Test func `the hash is FNV-1a, which is equal on every machine`() {
        let rows: [(text: String, hash: UInt64)] = [
            ("", 0xcbf2_9ce4_8422_2325), ("a", 0xaf63_dc4c_8601_ec8c), ("foobar", 0x8594_4171_f739_67e8),
        ]
        for row in rows { #expect(PlanFingerprint.hash(row.text.utf8) == row.hash, "\(row.text)") }
    }

    @Test func `profile, direction, settings and the engine's version each change the fingerprint`() {
        let document = Array("{}".utf8)
        let fingerprints = [
            PlanFingerprint(profile: document, direction: .forward),
            PlanFingerprint(profile: document, direction: .inverse),
            PlanFingerprint(profile: Array("{ }".utf8), direction: .forward),
            PlanFingerprint(profile: document, direction: .forward, engineOutputVersion: 0),
            PlanFingerprint(profile: document, direction: .forward, status: .all),
            PlanFingerprint(profile: document, direction: .forward, hasEvents: true),
            PlanFingerprint(profile: document, direction: .forward, noTransform: .ignore),
            PlanFingerprint(profile: document, direction: .forward, hasEvents: true, noTransform: .ignore),
            PlanFingerprint(profile: document, direction: .forward, types: ["text/html": .document]),
            PlanFingerprint(profile: document, direction: .forward, types: ["text/html": .lines]),
        ]
        #expect(Set(fingerprints).count == fingerprints.count)
        #expect(fingerprints[0] == PlanFingerprint(profile: document, direction: .forward))
        // The order of a list in the file makes no difference.
        let lists = [["2xx", "404", "500"], ["500", "404", "2xx"]].map { texts in
            var status = StatusSet()
            for text in texts { _ = status.insert(text) }
            return PlanFingerprint(profile: document, direction: .forward, status: status)
        }
        #expect(lists[0] == lists[1])
        for fingerprint in fingerprints {
            #expect(fingerprint.digits.utf8.count == 16)
            #expect(fingerprint.digits.utf8.allSatisfy { ASCII.hexValue($0) != nil })
        }
    }
}

struct HashKeyFingerprintTests {
    @Test func `another key of hash changes the entity tags of a route, and the same key does not`() throws {
        let directory = try TemporaryDirectory()
        let key = directory.file("key")
        let profile = #"{ "values": { "at": "email", "as": "hash", "key": { "file": "\#(key)" } } }"#
        let tags = try ["first", "second", "first"].map { text in
            _ = try directory.write("key", text)
            let trial = try GatewayTrial(
                routes: #"{ "match": "/", "upstream": "shop", "response": { "profile": "hashing" } }"#,
                profiles: ["hashing": profile])
            return try trial.response(200, "Content-Type: application/json\nETag: \"v1\"").fields["ETag"]
        }
        #expect(tags[0] != nil && tags[0] != tags[1])
        #expect(tags[0] == tags[2])
    }
}

struct TagSuffixTests {
    private static let fingerprint = PlanFingerprint(profile: [], direction: .forward)

    @Test func `the suffix is before the closing quote, and weak tags stay weak`() {
        let digits = Self.fingerprint.digits
        let rows: [(tag: String, isConverted: Bool, coding: ContentCoding, result: String)] = [
            (#""a""#, true, .identity, "\"a~c\(digits)\""), (#"W/"a""#, true, .gzip, "W/\"a~c\(digits)-gzip\""),
            (#""a""#, false, .identity, "\"a~s\(digits)\""), (#""""#, true, .deflate, "\"~c\(digits)-deflate\""),
            (#""a-br""#, true, .br, "\"a-br~c\(digits)-br\""), (#"W/"a""#, true, .zstd, "W/\"a~c\(digits)-zstd\""),
        ]
        for row in rows {
            let written = TagSuffix.appended(
                to: Array(row.tag.utf8)[...], isConverted: row.isConverted, Self.fingerprint, fields: nil,
                coding: row.coding)
            let tag = EntityTag(written[...])
            #expect(tag?.description == row.result)
            let split = tag.flatMap(TagSuffix.split)
            #expect(split?.upstream.description == row.tag)
            #expect(split?.fingerprint == digits)
        }
    }

    @Test func `text that only resembles a suffix is not removed`() {
        for opaque in [
            "a", "a~c", "a~c0123456789abcde", "a~x0123456789abcdef", "a~c0123456789abcdeg", "ac0123456789abcdef",
            "a~c0123456789ABCDEF", "a~c0123456789abcdef-xz", "a~c0123456789abcdef-gzip-gzip",
        ] {
            #expect(TagSuffix.split(EntityTag(isWeak: false, opaque: opaque.utf8)) == nil, "\(opaque)")
        }
        let nested = EntityTag(isWeak: false, opaque: "a~c0123456789abcdef~s0000000000000000".utf8)
        #expect(TagSuffix.split(nested)?.upstream.description == "\"a~c0123456789abcdef\"")
    }
}
