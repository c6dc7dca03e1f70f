import ConvertCore
import FoundationEssentials

/// Decodes a document into its model, and encodes that again, by the engine's coders and by Foundation's.
///
/// `decode` and similar cases start from the original document, whose keys become those of the model during the work. The `plain`
/// cases start from a payload that already has the model's keys, so that they measure only `Codable`.
/// `Direct` is the model as a type that reads its members itself.
struct CodableWork<Model: Codable & Equatable, Direct: MemberDecodable & Encodable> {
    private let document: Document
    private let data: Data
    /// The document with the model's keys.
    private let plain: Document
    private let plainData: Data
    private let model: Model
    private let profile: Profile

    init(_ document: Document, _ type: Model.Type, _ direct: Direct.Type) throws {
        self.document = document
        data = Data(document.bytes)
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        model = try decoder.decode(Model.self, from: data)
        plain = Document(name: document.name, bytes: [UInt8](try JSONEncoder().encode(model)))
        plainData = Data(plain.bytes)
        profile = try Profile(.keys(.camelCase, from: .snakeCase))
    }

    func cases() throws -> [BenchmarkCase] {
        try decoding().map { name, decode in
            guard try decode() == model else { throw wrong(name) }
            return BenchmarkCase(name) { try decode() == nil ? 0 : 1 }
        }
            + encoding().map { name, encode in
                let count = try encode()
                guard count > 0 else { throw wrong(name) }
                return BenchmarkCase(name, encode)
            } + [try members()]
    }

    private func members() throws -> BenchmarkCase {
        let (converting, bytes) = (try ConvertDecoder(profile), document.bytes)
        let copy = try JSONEncoder().encode(converting.decode(Direct.self, from: bytes))
        guard try JSONDecoder().decode(Model.self, from: copy) == model else {
            throw wrong(BenchmarkCase.memberDecoding)
        }
        return BenchmarkCase(BenchmarkCase.memberDecoding) {
            _ = try converting.decode(Direct.self, from: bytes)
            return 1
        }
    }

    private func wrong(_ name: String) -> BenchmarkFailure {
        BenchmarkFailure("\(document.name)/\(name) gives a wrong output; nothing is measured")
    }

    private func decoding() throws -> [(name: String, decode: () throws -> Model?)] {
        let (data, plainData, bytes, plainBytes) = (data, plainData, document.bytes, plain.bytes)
        let snake = JSONDecoder()
        snake.keyDecodingStrategy = .convertFromSnakeCase
        let normalized = JSONDecoder()
        normalized.keyDecodingStrategy = .normalized(to: .camelCase)
        let foundation = JSONDecoder()
        let converting = try ConvertDecoder(profile)
        let ours = ConvertDecoder()
        return [
            (BenchmarkCase.foundationDecoding, { try snake.decode(Model.self, from: data) }),
            (BenchmarkCase.normalizedDecoding, { try normalized.decode(Model.self, from: data) }),
            (BenchmarkCase.decoding, { try converting.decode(Model.self, from: bytes) }),
            (BenchmarkCase.foundationPlainDecoding, { try foundation.decode(Model.self, from: plainData) }),
            (BenchmarkCase.plainDecoding, { try ours.decode(Model.self, from: plainBytes) }),
        ]
    }

    private func encoding() throws -> [(name: String, encode: () throws -> Int)] {
        let model = model
        let snake = JSONEncoder()
        snake.keyEncodingStrategy = .convertToSnakeCase
        let foundation = JSONEncoder()
        let converting = try ConvertEncoder(profile)
        let ours = ConvertEncoder()
        return [
            (BenchmarkCase.foundationEncoding, { try snake.encode(model).count }),
            (BenchmarkCase.encoding, { try converting.encode(model).count }),
            (BenchmarkCase.foundationPlainEncoding, { try foundation.encode(model).count }),
            (BenchmarkCase.plainEncoding, { try ours.encode(model).count }),
        ]
    }
}
