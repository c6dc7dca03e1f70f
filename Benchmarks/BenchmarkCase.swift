import ConvertCore
import FoundationEssentials

/// One way to convert one document: a row of the table.
struct BenchmarkCase {
    /// Converts the document once; returns the size of the output in bytes.
    typealias Conversion = () throws -> Int

    let name: String
    /// Makes the conversion that a sample measures.
    ///
    /// The engine's cases make a converter for each sample, since the addresses of its parts are chance. At some addresses the
    /// processor mistakes one part for another. Such a converter stays slower by a tenth or a quarter for as long as it lives.
    let begin: () throws -> Conversion

    init(_ name: String, begin: @escaping () throws -> Conversion) {
        self.name = name
        self.begin = begin
    }

    init(_ name: String, _ conversion: @escaping Conversion) { self.init(name) { conversion } }

    /// Rewriting keys with the document fed in pieces: as a file or a socket gives it, and in the worst case, a byte at a time.
    static let piecewise = [(name: "keys/64KiB", pieceBytes: 64 * 1024), (name: "keys/1B", pieceBytes: 1)]

    /// The cases that the others are compared with.
    static let keys = "keys"
    static let foundation = "foundation"
    static let direct = "foundation/direct"
    static let model = "foundation/model"
    /// Decoding alone: Foundation with convertFromSnakeCase, Foundation with our strategy, the engine's decoder.
    static let foundationDecoding = "foundation/decode"
    static let normalizedDecoding = "foundation/normalized"
    static let decoding = "decode"
    /// The same from a payload that has the model's keys: Foundation's decoder and the engine's, without strategy or profile.
    static let foundationPlainDecoding = "foundation/decode/plain"
    static let plainDecoding = "decode/plain"
    /// With a model that reads its members itself.
    static let memberDecoding = "decode/members"
    /// Encoding alone, to snake case and to the model's keys.
    static let foundationEncoding = "foundation/encode"
    static let encoding = "encode"
    static let foundationPlainEncoding = "foundation/encode/plain"
    static let plainEncoding = "encode/plain"

    /// Whether the engine does the work.
    var isEngine: Bool { !name.hasPrefix(Self.foundation) }

    /// Every case that `document` is measured in.
    static func all(for document: Document) throws -> [BenchmarkCase] {
        var cases: [BenchmarkCase] = []
        for task in EngineWork.Task.allCases {
            cases.append(BenchmarkCase(task.rawValue) { try EngineWork(task, document).convert })
            // Next to the case that they are compared with, in case the machine's speed changes later.
            if task == .keys { cases += pieces(of: document) }
        }
        cases.append(BenchmarkCase("keys/cold") { try EngineWork(.keys, document, isCold: true).convert })
        cases.append(
            BenchmarkCase("keys/once") {
                let plan = try EngineWork.Task.keys.plan()
                return { try plan.convert(document.bytes, framing: document.framing).count }
            })
        cases.append(BenchmarkCase(foundation, FoundationWork(document, JSONValue.self).convert))
        cases.append(BenchmarkCase(direct, FoundationWork(document, DirectJSONValue.self).convert))
        if document.isOrderPage {
            cases.append(BenchmarkCase(model, FoundationWork(document, OrderPage.self).convert))
        }
        return cases + (try codable(document))
    }

    /// Cases of decoding and encoding, of documents that have a model.
    private static func codable(_ document: Document) throws -> [BenchmarkCase] {
        if document.isOrderPage { return try CodableWork(document, OrderPage.self, DirectOrderPage.self).cases() }
        return switch document.name {
        case "twitter.json": try CodableWork(document, Tweets.self, DirectTweets.self).cases()
        case "citm_catalog.json": try CodableWork(document, ConcertCatalog.self, DirectConcertCatalog.self).cases()
        default: []
        }
    }

    private static func pieces(of document: Document) -> [BenchmarkCase] {
        piecewise.map { name, pieceBytes in
            BenchmarkCase(name) { try EngineWork(.keys, document, pieceBytes: pieceBytes).convert }
        }
    }
}
