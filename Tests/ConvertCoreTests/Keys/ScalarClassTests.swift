import Testing

@testable import ConvertEngine

struct ScalarClassTests {
    @Test func `letters have the classes of their Unicode categories, and separators are white space`() {
        for scalar in (UInt32(0x80)..<0x11_0000).compactMap(Unicode.Scalar.init) {
            let expected: ScalarClass? =
                switch scalar.properties.generalCategory {
                case .uppercaseLetter, .titlecaseLetter: .capital
                case .lowercaseLetter: .lowercase
                case .modifierLetter, .otherLetter: .uncased
                default: scalar.properties.isWhitespace ? .separator : nil
                }
            let found = ScalarClass(scalar)
            guard expected.map({ $0 != found }) ?? (found.isLetter || found == .separator) else { continue }
            Issue.record("U+\(String(scalar.value, radix: 16)): \(found)")
        }
    }
}
