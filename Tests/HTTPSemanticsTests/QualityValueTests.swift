import Testing

@testable import HTTPSemantics

struct QualityValueTests {
    @Test func `every value of the grammar is read, in thousandths`() {
        for thousandths in 0...1000 {
            let digits = String(1000 + thousandths % 1000).dropFirst()
            let text = "\(thousandths / 1000).\(digits)"
            #expect(QualityValue(text[...].utf8)?.thousandths == thousandths)
        }
        for (text, thousandths) in [
            ("0", 0), ("1", 1000), ("0.", 0), ("1.", 1000), ("0.5", 500), ("0.05", 50), ("1.0", 1000),
        ] {
            #expect(QualityValue(text[...].utf8)?.thousandths == thousandths)
        }
    }

    @Test func `nothing else is read`() {
        let texts = [
            "", ".", ".5", "2", "1.1", "1.01", "1.001", "0.0000", "1.0000", "00", "01", "10", "0,5", "0.5 ", " 0.5",
            "-0",
            "+1", "0.-1", "0..5", "0.5.", "a", "0x1", "1e0", "٠", "NaN",
        ]
        for text in texts { #expect(QualityValue(text[...].utf8) == nil, "\(text)") }
    }
}
