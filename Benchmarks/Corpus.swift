import FoundationEssentials

/// The documents that are measured.
struct Corpus {
    let documents: [Document]
    /// The origin of the documents, for the heading of the report.
    let origin: String

    /// The default documents, smallest first; missing ones are left out.
    static let names = [
        "payload_7944.json", "github_events.json", "api_100.ndjson", "twitterescaped.json", "twitter.json",
        "citm_catalog.json", "canada.json",
    ]
    static let usualDirectory = "../shared/corpus"
    private static let datesName = "dates_256k.json"
    private static let seed: UInt64 = 20_240_301

    /// Documents of `directory`; without it, of `CONVERT_CORPUS`, of the default directory, or generated ones.
    init(directory: String?) throws(BenchmarkFailure) {
        let named = directory ?? ProcessInfo.processInfo.environment["CONVERT_CORPUS"]
        let path = named ?? Self.usualDirectory
        var found: [Document] = []
        for name in Self.names where FileManager.default.fileExists(atPath: path + "/" + name) {
            found.append(try Document(path: path + "/" + name))
        }
        guard named == nil || !found.isEmpty else {
            throw BenchmarkFailure("\(path) holds none of \(Self.names.joined(separator: ", "))")
        }
        origin = found.isEmpty ? "generated documents" : path
        documents = (found.isEmpty ? Self.generatedPages : found) + [Self.dates]
    }

    /// Writes the documents to a directory, for other programs. The dates are left out, since they say nothing about keys.
    func write(to directory: String) throws {
        for document in documents where document.name != Self.datesName {
            try Data(document.bytes).write(to: URL(filePath: directory + "/" + document.name))
        }
    }

    /// Order pages of three sizes and order records as lines.
    private static var generatedPages: [Document] {
        var generator = PayloadGenerator(seed: seed)
        return [
            Document(name: "orders_8k.json", bytes: generator.orderPage(bytes: 8_000), isOrderPage: true),
            Document(name: "orders_100k.json", bytes: generator.orderPage(bytes: 100_000), isOrderPage: true),
            Document(name: "orders_100k.ndjson", bytes: generator.orderLines(bytes: 100_000)),
            Document(name: "orders_2m.json", bytes: generator.orderPage(bytes: 2_000_000), isOrderPage: true),
        ]
    }

    /// Only RFC 3339 date-times: the highest cost that dates can have.
    private static var dates: Document {
        var generator = PayloadGenerator(seed: seed)
        return Document(name: datesName, bytes: generator.dateArray(bytes: 256_000))
    }
}
