import Testing

@testable import Text

/// Compares the sets of bytes with the grammars after which they are named.
struct ASCIITests {
    private static let alphanumerics = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"

    @Test func `every byte is in the sets of its grammar`() {
        let tokens = Set((Self.alphanumerics + "!#$%&'*+-.^_`|~").utf8)
        let registeredNames = Set((Self.alphanumerics + "-._~" + "!$&'()*+,;=").utf8)
        for byte in UInt8.min...UInt8.max {
            #expect(ASCII.isToken(byte) == tokens.contains(byte), "\(byte)")
            #expect(ASCII.isRegisteredName(byte) == registeredNames.contains(byte), "\(byte)")
            #expect(ASCII.isVisible(byte) == (33...126).contains(byte), "\(byte)")
            #expect(ASCII.isBlank(byte) == [9, 32].contains(byte), "\(byte)")
            #expect(ASCII.isFieldContent(byte) == (byte == 9 || (32...126).contains(byte) || byte >= 128), "\(byte)")
            #expect(ASCII.isDigit(byte) == "0123456789".utf8.contains(byte), "\(byte)")
            let text = String(UnicodeScalar(byte))
            #expect(ASCII.hexValue(byte) == (byte < 128 && text != "+" ? UInt8(text, radix: 16) : nil), "\(byte)")
            #expect(ASCII.lowercased(byte) == (byte < 128 ? text.lowercased().utf8.first : byte), "\(byte)")
        }
    }
}
