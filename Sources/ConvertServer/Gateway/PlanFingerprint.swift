import ConvertCore

/// What tells the answers of one plan from those of any other, on every replica alike: 16 hexadecimal digits.
struct PlanFingerprint: Sendable, Hashable {
    /// Raised whenever the engine makes other bytes of the same profile and payload.
    static let engineOutputVersion = 1

    let digits: String

    /// The fingerprint of a profile's document in one direction.
    init(profile document: [UInt8], direction: Profile.Direction, engineOutputVersion: Int = engineOutputVersion) {
        let text = Array("\(engineOutputVersion) \(direction.rawValue) ".utf8) + document
        let hash = String(Self.hash(text), radix: 16)
        digits = String(repeating: "0", count: 16 - hash.count) + hash
    }

    /// FNV-1a with 64 bits (RFC 9923): not seeded, as `Hasher` is, and the same everywhere.
    static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        let offsetBasis: UInt64 = 14_695_981_039_346_656_037
        let prime: UInt64 = 1_099_511_628_211
        return bytes.reduce(offsetBasis) { ($0 ^ UInt64($1)) &* prime }
    }
}

extension PlanFingerprint: CustomStringConvertible {
    var description: String { digits }
}
