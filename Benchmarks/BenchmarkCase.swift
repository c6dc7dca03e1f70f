import FoundationEssentials

/// One way to convert one document: a row of the table.
struct BenchmarkCase {
    let name: String
    /// Converts the document once; returns the size of the output in bytes.
    let convert: () throws -> Int

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
            cases.append(BenchmarkCase(name: task.rawValue, convert: try EngineWork(task, document).convert))
            // Beside the case that they are compared with, lest the machine's speed has changed in between.
            if task == .keys { cases += try pieces(of: document) }
        }
        let cold = try EngineWork(.keys, document, isCold: true)
        cases.append(BenchmarkCase(name: "keys/cold", convert: cold.convert))
        cases.append(BenchmarkCase(name: foundation, convert: FoundationWork(document, JSONValue.self).convert))
        cases.append(BenchmarkCase(name: direct, convert: FoundationWork(document, DirectJSONValue.self).convert))
        if document.isOrderPage {
            let modelled = FoundationWork(document, OrderPage.self)
            cases.append(BenchmarkCase(name: model, convert: modelled.convert))
            cases.append(
                BenchmarkCase(name: foundationDecoding, convert: DecodingWork.snakeCase(document).convert))
            cases.append(
                BenchmarkCase(name: normalizedDecoding, convert: DecodingWork.normalized(document).convert))
            cases.append(BenchmarkCase(name: decoding, convert: try DecodingWork.engine(document).convert))
        }
        return cases
    }

    private static func pieces(of document: Document) throws -> [BenchmarkCase] {
        try piecewise.map { name, pieceBytes in
            let work = try EngineWork(.keys, document, pieceBytes: pieceBytes)
            return BenchmarkCase(name: name, convert: work.convert)
        }
    }
}
