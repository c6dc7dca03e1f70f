import ConvertCore
import FoundationEssentials

// Short names on the wire, readable ones in code. One map serves both directions, nested values and arrays.

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

    static var encoder: ConvertEncoder {
        get throws {
            var encoder = try ConvertEncoder(profile.get(), applying: .forward, describing: Bettor.self)
            encoder.dateEncodingStrategy = .flexible()
            return encoder
        }
    }

    static var decoder: ConvertDecoder {
        get throws {
            var decoder = try ConvertDecoder(profile.get(), applying: .inverse, describing: Bettor.self)
            decoder.dateDecodingStrategy = .flexible()
            return decoder
        }
    }

    static func wire(_ bettor: Bettor) throws -> [UInt8] { try encoder.encode(bettor) }

    static func bettor(_ wire: [UInt8]) throws -> Bettor { try decoder.decode(from: wire) }
}
