import ConvertCore
import FoundationEssentials

// Keys in snake, kebab and Pascal case with abbreviations, and dates in several formats: one decoder reads all of them.

struct Purchase: Decodable, Hashable {
    var userId: Int
    var productUrl: String
    var htmlBody: String
    var createdAt: Date
    var paidAt: Date
    var shippedOn: Date
}

enum MixedKeys {
    static func purchases(_ payload: [UInt8]) throws -> [Purchase] {
        var decoder = try ConvertDecoder(Profile(.keys(.camelCase, acronyms: ["ID", "URL", "HTML"])))
        decoder.dateDecodingStrategy = try .flexible(assuming: "UTC")
        return try decoder.decode(from: payload)
    }

    /// The same with Foundation's decoder, for code that already has one.
    static func purchases(foundation payload: [UInt8]) throws -> [Purchase] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = .normalized(to: .camelCase, acronyms: ["ID", "URL", "HTML"])
        decoder.dateDecodingStrategy = try .flexible(assuming: "UTC")
        return try decoder.decode([Purchase].self, from: Data(payload))
    }
}
