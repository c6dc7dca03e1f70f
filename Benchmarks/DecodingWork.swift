import ConvertCore
import FoundationEssentials

/// Decodes an order page into its model, by three roads from snake_case to the model's names.
final class DecodingWork {
    private let document: Document
    private let data: Data
    private let decode: ([UInt8], Data) throws -> OrderPage

    private init(_ document: Document, _ decode: @escaping ([UInt8], Data) throws -> OrderPage) {
        self.document = document
        data = Data(document.bytes)
        self.decode = decode
    }

    /// Foundation's decoder with its own strategy.
    static func snakeCase(_ document: Document) -> DecodingWork { foundation(document, .convertFromSnakeCase) }

    /// Foundation's decoder with ours.
    static func normalized(_ document: Document) -> DecodingWork {
        foundation(document, .normalized(to: .camelCase))
    }

    private static func foundation(
        _ document: Document, _ strategy: JSONDecoder.KeyDecodingStrategy
    ) -> DecodingWork {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = strategy
        return DecodingWork(document) { _, data in try decoder.decode(OrderPage.self, from: data) }
    }

    /// The engine's decoder with a profile that rewrites the keys.
    static func engine(_ document: Document) throws -> DecodingWork {
        let profile = try Profile(parsing: Array(#"{"keys": "camelCase"}"#.utf8))
        let decoder = try ConvertDecoder(profile)
        return DecodingWork(document) { bytes, _ in try decoder.decode(OrderPage.self, from: bytes) }
    }

    /// Decodes the document once; returns the number of orders.
    func convert() throws -> Int { try result().data.count }

    /// Decodes the document once.
    func result() throws -> OrderPage { try decode(document.bytes, data) }
}
