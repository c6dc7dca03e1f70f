import ConvertEngine
import ConvertProfiles

/// Protects the keys of dictionaries and dynamic values from the case rule of an encoder's profile.
///
/// The engine does not know which keys are data. An encoder does: it writes a marker before each of them, and removes the markers from
/// the output. A case rule leaves a key with the marker unchanged, since the marker has a symbol between digits and letters. It
/// has a random part, so that no text of a payload is mistaken for it.
struct DataKeys: Sendable {
    let marker: [UInt8]
    private let rule: KeyCaseRule
    /// The keys that selectors of the profile name. They get no marker, since selectors have to find them.
    private let named: Set<[UInt8]>
    private let wildcards: [Selector]
    private let renamed: Set<[UInt8]>
    /// The rules by which the inverse puts keys back into an object.
    private let flattens: [FlattenRule]

    /// Nil if the profile has no case rule in that direction.
    init?(_ profile: Profile, _ direction: Profile.Direction, _ plan: Plan) {
        guard let rule = direction == .forward ? plan.caseRule : plan.sourceCaseRule else { return nil }
        self.rule = rule
        var selectors = profile.inputSelectors(.forward).map(\.selector) + profile.defaults.map(\.selector)
        // The output keys by which the inverse finds what it moves back or takes out of an object.
        let isInverse = direction == .inverse
        if isInverse { selectors += profile.moves.map(\.target) + (profile.wrap.map { [$0.selector] } ?? []) }
        flattens = isInverse ? profile.flattens : []
        let named = selectors.flatMap(\.pointerSegments).compactMap(\.name) + selectors.compactMap(\.literalName)
        renamed = Set(
            profile.renames.compactMap { direction == .forward ? $0.selector.literalName : $0.target.literal })
        self.named = renamed.union(named)
        wildcards = selectors.filter { $0.pointerSegments.isEmpty && $0.hasWildcard }
        marker = Array("1\u{7F}\(String(UInt64.random(in: 1 << 60...UInt64.max), radix: 16))".utf8)
    }

    private func isNamed(_ name: [UInt8]) -> Bool {
        named.contains(name) || wildcards.contains { $0.matchesName(name) }
    }

    /// Whether a key gets the marker: no rule of the profile names it. A key that a `flatten` may put back gets one only if the case rule
    /// would change it, since keys of other dictionaries may be equal or begin so, too.
    func marks(_ name: String) -> Bool {
        let bytes = Array(name.utf8)
        return !isNamed(bytes) && !(flattens.contains { $0.claims(bytes) } && rule.converted(bytes) == bytes)
    }

    /// - Throws: an error for a key that a rule of the profile names and that the case rule would still change.
    func check(_ name: String) throws {
        let bytes = Array(name.utf8)
        guard isNamed(bytes), !renamed.contains(bytes), rule.converted(bytes) != bytes else { return }
        let message =
            "the key of a dictionary is named by a rule of the profile, and its case rule would rewrite it; "
            + "spell the key in the rule's case, or set `rewritesDataKeys`"
        throw EncodingError.invalidValue(name, EncodingError.Context(codingPath: [], debugDescription: message))
    }

    /// The error with keys as they were encoded, without markers.
    func unmarked(_ error: ConversionError) -> ConversionError {
        let text = String(decoding: marker, as: UTF8.self)
        var error = error
        error.message.replace(text, with: "")
        error.pointer.replace(text, with: "")
        return error
    }

    /// Copies an output without its markers.
    func removeMarkers(from output: borrowing ByteBuffer, into clean: inout ByteBuffer) {
        let bytes = output.bytes
        var start = 0
        var index = 0
        while index + marker.count <= bytes.count {
            // The search is for the symbol, which is rarer than the digit before it.
            index = bytes.firstIndex(of: marker[1], from: index + 1, to: bytes.count) - 1
            guard index + marker.count <= bytes.count else { break }
            let isMarker = marker.indices.allSatisfy { bytes[index + $0] == marker[$0] }
            guard isMarker else {
                index += 1
                continue
            }
            clean.append(bytes.extracting(start..<index))
            index += marker.count
            start = index
        }
        clean.append(bytes.extracting(start..<bytes.count))
    }
}
