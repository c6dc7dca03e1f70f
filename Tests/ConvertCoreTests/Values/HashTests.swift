import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

/// `hash`, and the SHA-256 and HMAC that it uses.
struct HashTests {
    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { byte in
            let digits = String(byte, radix: 16)
            return digits.count == 1 ? "0" + digits : digits
        }.joined()
    }

    /// FIPS 180-4's examples and those of NIST's example files.
    @Test func `SHA-256 gives the digests of its standard, for any pieces`() {
        let rows: [(text: [UInt8], digest: String)] = [
            ([], "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855"),
            (Array("abc".utf8), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"),
            (
                Array("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq".utf8),
                "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1"
            ),
            (
                [UInt8](repeating: UInt8(ascii: "a"), count: 1_000_000),
                "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0"
            ),
        ]
        for row in rows {
            for step in [1, 63, 64, 1 << 20] where row.text.count < 1000 || step > 1 {
                var digest = SHA256()
                for start in stride(from: 0, to: row.text.count, by: step) {
                    digest.update(row.text.span.extracting(start..<min(start + step, row.text.count)))
                }
                #expect(Self.hex(digest.finish()) == row.digest)
            }
        }
    }

    /// RFC 4231, test cases 1 to 4, 6 and 7.
    @Test func `HMAC-SHA-256 gives the codes of RFC 4231`() {
        let long = [UInt8](repeating: 0xaa, count: 131)
        let rows: [(key: [UInt8], text: [UInt8], code: String)] = [
            (
                [UInt8](repeating: 0x0b, count: 20), Array("Hi There".utf8),
                "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7"
            ),
            (
                Array("Jefe".utf8), Array("what do ya want for nothing?".utf8),
                "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
            ),
            (
                [UInt8](repeating: 0xaa, count: 20), [UInt8](repeating: 0xdd, count: 50),
                "773ea91e36800e46854db8ebd09181a72959098b3ef8c122d9635514ced565fe"
            ),
            (
                Array(1...25), [UInt8](repeating: 0xcd, count: 50),
                "82558a389a443c0ea4cc819899f2083a85f0faa3e578f8077a2e3ff46729665b"
            ),
            (
                long, Array("Test Using Larger Than Block-Size Key - Hash Key First".utf8),
                "60e431591ee0b67f0d8a26aacbf5b77f8e0bc6213728c5140546040f0ee37f54"
            ),
            (
                long,
                Array(
                    "This is a test using a larger than block-size key and a larger than block-size data. The key needs to be hashed before being used by the HMAC algorithm."
                        .utf8), "9b09ffa71b942fcb27635fbcd5b0e944bfdc63644f0713938a7f51535c3a35e2"
            ),
        ]
        for row in rows {
            var code = HMACSHA256(key: row.key)
            code.update(row.text.span)
            #expect(Self.hex(code.finish()) == row.code)
        }
    }

    private static func profile(_ key: String, _ more: String = "") -> String {
        #"{"values": {"at": "v", "as": "hash", "key": \#(key)\#(more)}}"#
    }

    private func inFile(_ key: String, _ body: (String) throws -> Void) throws {
        let directory = try TemporaryDirectory()
        try body(directory.write("key", key))
    }

    /// The codes are Python's `hmac`, in `base64.urlsafe_b64encode`.
    @Test func `strings, numbers and booleans are hashed, whole or in pieces`() throws {
        try inFile("Jefe\n") { path in
            let plan = try Profile(parsing: Self.profile(#"{"file": "\#(path)"}"#)).compile(.forward)
            let text = #"{"v":"what do ya want for nothing?"}"#
            #expect(try plan.convert(text) == #"{"v":"W9zBRr9gdU5qBCQmCJV1x1oAPwidJzmDnexYuWTsOEM"}"#)
            #expect(try plan.convert(#"{"v":"what d\u006f ya want for nothing?"}"#) == plan.convert(text))
            #expect(try plan.convert(#"{"v":12.50}"#) == plan.convert(#"{"v":"12.50"}"#))
            #expect(try plan.convert(#"{"v":true}"#) == plan.convert(#"{"v":"true"}"#))
            #expect(try plan.convert(#"{"v":null}"#) == #"{"v":null}"#)
            #expect(throws: ConversionError.self) { try plan.convert(#"{"v":[]}"#) }
            let short = try Profile(parsing: Self.profile(#"{"file": "\#(path)"}"#, #", "bytes": 8"#)).compile(.forward)
            #expect(try short.convert(text) == #"{"v":"W9zBRr9gdU4"}"#)
            let long = Array(#"{"v":"\#(String(repeating: "é", count: 40_000))"}"#.utf8)
            var converter = Converter(plan)
            let whole = ConverterTrial(&converter, long)
            #expect(ConverterTrial(&converter, long, cuts: [5, 20_000, 40_001]).agrees(with: whole, otherWords: false))
        }
    }

    @Test func `a final line break of the key's file does not count, only one, and a lone CR counts`() throws {
        func code(_ key: String) throws -> String {
            var code = ""
            try inFile(key) { path in
                code = try Profile(parsing: Self.profile(#"{"file": "\#(path)"}"#)).compile(.forward).convert(
                    #"{"v":1}"#)
            }
            return code
        }
        let expected = try code("Jefe")
        for key in ["Jefe\n", "Jefe\r\n"] { #expect(try code(key) == expected) }
        for key in ["Jefe\r", "Jefe\n\n", "Jefe\r\r\n"] { #expect(try code(key) != expected) }
    }

    @Test func `without its key, a profile cannot be used, and requests cannot use keys`() throws {
        for key in [#"{"env": "CONVERT_NO_SUCH_KEY"}"#, #"{"file": "/no/such/file"}"#] {
            let profile = try Profile(parsing: Self.profile(key))
            let error = #expect(throws: ProfileError.self) { try profile.compile(.forward) }
            #expect(error?.faults.map(\.pointer) == ["/values"])
            #expect(throws: Never.self) { try profile.compile(.inverse) }
        }
        try inFile("k") { path in
            let profile = try Profile(parsing: Self.profile(#"{"file": "\#(path)"}"#))
            let error = #expect(throws: ProfileError.self) { try profile.compile(.forward, keys: .none) }
            #expect(error?.faults.first?.message.contains("profile in a request") == true)
        }
        try inFile("\n") { path in
            let profile = try Profile(parsing: Self.profile(#"{"file": "\#(path)"}"#))
            #expect(throws: ProfileError.self) { try profile.compile(.forward) }
        }
    }

    @Test func `a hash names the source of its key`() {
        for row in [
            (Self.profile("{}"), "/values/key"), (Self.profile(#"{"env": "A=B"}"#), "/values/key/env"),
            (Self.profile(#"{"env": "A", "file": "b"}"#), "/values/key"),
            (Self.profile(#"{"env": "A"}"#, #", "bytes": 7"#), "/values/bytes"),
            (#"{"values": {"at": "v", "as": "hash"}}"#, "/values"),
            (#"{"values": {"at": "v", "as": "string", "key": {"env": "A"}}}"#, "/values/key"),
        ] {
            #expect(profileFaults(Array(row.0.utf8)).map(\.pointer) == [row.1], "\(row.0)")
        }
    }
}
