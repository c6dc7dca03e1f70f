import ConvertCore
import FoundationEssentials

// Short names on the wire, readable ones in code: one map for both directions, for nested values and arrays too.

struct Bettor: Codable, Hashable {
    var firstName: String
    var lastName: String
    var joined: Date
    var nickname: String?
    var bets: [Bet]
}

struct Bet: Codable, Hashable {
    var amount: Double
    var placed: Date
}

enum ShortNames {
    static let profile = Result { () throws(ProfileError) in
        try Profile(
            .rename(["firstName": "fn", "lastName": "ln", "joined": "j", "nickname": "nn", "bets": "b"]),
            .rename(["/bets/*/amount": "a", "/bets/*/placed": "p"]),
            .dates(at: "joined", "placed", from: [.rfc3339], to: .epochSeconds))
    }

    static func wire(_ bettor: Bettor) throws -> [UInt8] {
        var encoder = try ConvertEncoder(profile.get(), applying: .forward)
        encoder.dateEncodingStrategy = .flexible()
        return try encoder.encode(bettor)
    }

    static func bettor(_ wire: [UInt8]) throws -> Bettor {
        var decoder = try ConvertDecoder(profile.get(), applying: .inverse)
        decoder.dateDecodingStrategy = .flexible()
        return try decoder.decode(from: wire)
    }
}
