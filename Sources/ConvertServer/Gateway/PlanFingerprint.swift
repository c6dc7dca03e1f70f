package import ConvertProfiles
package import HTTPSemantics
import Text

/// Identifies the responses of one plan under a route's settings, with the same value on every replica: 16 hexadecimal digits.
package struct PlanFingerprint: Sendable, Hashable {
    /// Increase it if the engine produces other bytes for the same profile and payload.
    static let engineOutputVersion = 1

    package let digits: String

    /// The fingerprint of a profile's document in one direction.
    ///
    /// - Parameters:
    ///   - hashKeyMarks: those of the plan. The keys of `hash` are not in the document.
    ///   - status: the responses that are converted.
    ///   - hasEvents: whether event streams and JSON sequences are converted.
    ///   - noTransform: whether `no-transform` keeps responses from being converted.
    ///   - types: the media types that the route reads in another way.
    package init(
        profile document: [UInt8], hashKeyMarks: [UInt8] = [], direction: Profile.Direction,
        status: StatusSet = .success, hasEvents: Bool = false, noTransform: NoTransformPolicy = .respect,
        types: [String: TypeFraming] = [:], engineOutputVersion: Int = engineOutputVersion
    ) {
        let read = types.sorted { $0.key < $1.key }.map { ", \($0.key) as \($0.value.rawValue)" }
        let settings =
            "\(status)" + (hasEvents ? ", events" : "") + (noTransform == .ignore ? ", ignored no-transform" : "")
            + read.joined()
        let text = Array("\(engineOutputVersion) \(direction.rawValue) \(settings) ".utf8) + document + hashKeyMarks
        digits = String(Self.hash(text), width: 16, radix: 16)
    }

    /// FNV-1a with 64 bits (RFC 9923). Unlike `Hasher` it is not seeded, so it is the same everywhere.
    package static func hash(_ bytes: some Sequence<UInt8>) -> UInt64 {
        let offsetBasis: UInt64 = 14_695_981_039_346_656_037
        let prime: UInt64 = 1_099_511_628_211
        return bytes.reduce(offsetBasis) { ($0 ^ UInt64($1)) &* prime }
    }
}
