import ConvertCore
import FoundationEssentials

// Keys in snake, kebab and Pascal case with abbreviations, dates in a mix of formats: one decoder for all of them.

struct Purchase: Decodable, Hashable {
    var userId: Int
    var productUrl: String
    var htmlBody: String
    var createdAt: Date
    var paidAt: Date
    var shippedOn: Date
}

enum MixedKeys {
    static let profile = Result { () throws(ProfileError) in
        try Profile(
            .keys(.camelCase, acronyms: ["ID", "URL", "HTML"]),
            .dates(at: "*At", "*_at", "*-at", "*On", "*_on", "*-on", to: .rfc3339, assumeZone: "UTC"))
    }

    static func purchases(_ payload: [UInt8]) throws -> [Purchase] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode([Purchase].self, from: Data(profile.get().compile(.forward).convert(payload)))
    }
}
