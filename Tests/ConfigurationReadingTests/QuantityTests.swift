import Testing

@testable import ConfigurationReading

struct QuantityTests {
    @Test func `a size and a time may have a unit`() {
        let rows: [(text: String, unit: Quantity.Unit?, value: Int?)] = [
            ("512", nil, 512), ("10MB", .bytes, 10_000_000), ("10MiB", .bytes, 10 * 1024 * 1024),
            ("1gib", .bytes, 1 << 30), ("16Mi", .bytes, 16 << 20), ("4Ki", .bytes, 4096), ("2Gi", .bytes, 2 << 30),
            ("4KB", .bytes, 4000), ("7B", .bytes, 7), ("30s", .seconds, 30), ("5m", .seconds, 300),
            ("1h", .seconds, 3600),
            ("10MB", nil, nil), ("10MB", .seconds, nil), ("30s", .bytes, nil), ("MB", .bytes, nil),
            ("1.5MB", .bytes, nil),
            ("10 MB", .bytes, nil), ("-1", .bytes, nil), ("+1", nil, nil), ("", nil, nil), ("10M", .bytes, nil),
            ("9223372036854775807KB", .bytes, nil), ("9223372036854775808", nil, nil),
        ]
        for row in rows { #expect(Quantity.value(of: row.text, in: row.unit) == row.value, "\(row.text)") }
        #expect(Quantity.Unit.bytes.text(64 * 1024 * 1024) == "64MiB")
        #expect(Quantity.Unit.bytes.text(1000) == "1000" && Quantity.Unit.bytes.text(0) == "0")
    }
}
