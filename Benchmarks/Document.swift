import ConvertCore
import FoundationEssentials

/// One input: a JSON text, or one JSON text per line.
struct Document {
    let name: String
    let bytes: [UInt8]
    /// Whether the document is of the shape that `OrderPage` models.
    var isOrderPage = false

    var framing: Converter.Framing { name.hasSuffix(".ndjson") ? .lines : .document }

    /// The JSON texts of the document, for programs that take one at a time.
    var texts: [Data] {
        switch framing {
        case .document: [Data(bytes)]
        case .lines: bytes.split(separator: UInt8(ascii: "\n")).map { Data($0) }
        }
    }

    init(name: String, bytes: [UInt8], isOrderPage: Bool = false) {
        self.name = name
        self.bytes = bytes
        self.isOrderPage = isOrderPage
    }

    init(path: String) throws(BenchmarkFailure) {
        do {
            bytes = [UInt8](try Data(contentsOf: URL(filePath: path)))
        } catch {
            throw BenchmarkFailure("\(path) cannot be read")
        }
        name = path.split(separator: "/").last.map(String.init) ?? path
        isOrderPage = name == "payload_7944.json"
    }
}
