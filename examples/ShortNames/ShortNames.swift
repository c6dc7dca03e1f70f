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
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return try profile.get().compile(.forward).convert(Array(encoder.encode(bettor)))
    }

    static func bettor(_ wire: [UInt8]) throws -> Bettor {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        return try decoder.decode(Bettor.self, from: Data(profile.get().compile(.inverse).convert(wire)))
    }
}
