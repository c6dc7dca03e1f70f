import FoundationEssentials

/// One way to convert one document: a row of the table.
struct BenchmarkCase {
    /// Converts the document once; returns the size of the output in bytes.
    typealias Conversion = () throws -> Int

    let name: String
    /// Makes what a sample measures.
    ///
    /// The engine's cases make a converter for each sample. Where the parts of one come to lie in memory is chance, and now and then the
    /// processor takes some of them for each other: such a converter is slower by a tenth, or by a quarter, for as long as it lives.
    let begin: () throws -> Conversion

    init(_ name: String, begin: @escaping () throws -> Conversion) {
        self.name = name
        self.begin = begin
    }

    init(_ name: String, _ conversion: @escaping Conversion) { self.init(name) { conversion } }

    /// Rewriting keys with the document fed in pieces: as a file or a socket gives it, and as badly as can be.
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

    /// Whether the engine does the work.
    var isEngine: Bool { !name.hasPrefix(Self.foundation) }

    /// Every case that `document` is measured in.
    static func all(for document: Document) throws -> [BenchmarkCase] {
        var cases: [BenchmarkCase] = []
        for task in EngineWork.Task.allCases {
            cases.append(BenchmarkCase(task.rawValue) { try EngineWork(task, document).convert })
            // Beside the case that they are compared with, lest the machine's speed has changed in between.
            if task == .keys { cases += pieces(of: document) }
        }
        cases.append(BenchmarkCase("keys/cold") { try EngineWork(.keys, document, isCold: true).convert })
        cases.append(BenchmarkCase(foundation, FoundationWork(document, JSONValue.self).convert))
        cases.append(BenchmarkCase(direct, FoundationWork(document, DirectJSONValue.self).convert))
        if document.isOrderPage {
            cases.append(BenchmarkCase(model, FoundationWork(document, OrderPage.self).convert))
            cases.append(BenchmarkCase(foundationDecoding, DecodingWork.snakeCase(document).convert))
            cases.append(BenchmarkCase(normalizedDecoding, DecodingWork.normalized(document).convert))
            cases.append(BenchmarkCase(decoding, try DecodingWork.engine(document).convert))
        }
        return cases
    }

    private static func pieces(of document: Document) -> [BenchmarkCase] {
        piecewise.map { name, pieceBytes in
            BenchmarkCase(name) { try EngineWork(.keys, document, pieceBytes: pieceBytes).convert }
        }
    }
}
