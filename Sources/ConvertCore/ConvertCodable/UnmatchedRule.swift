public import ConvertEngine
public import ConvertProfiles
import ConvertText

/// A rule of a profile whose selector matched nothing in a payload.
///
/// This is normal for a rule of an optional member. It is a mistake if the rule's pointer begins at another root than the payload's:
/// the profile of a `User` for a list of users. See ``Profile/prefixed(with:)``.
///
/// Rules of `defaults` are not listed, since they apply if a value is missing.
public struct UnmatchedRule: Sendable, Hashable {
    /// The selector, as the profile writes it.
    public let selector: String
    /// JSON Pointer into the profile to the rule.
    public let rule: String
    /// Whether no payload with this root can match: the payload is an array, and the pointer begins with a key.
    ///
    /// It is false for a pointer that begins with a number such as `/0`, which can be an index or a key.
    public let cannotMatch: Bool
}

extension UnmatchedRule: CustomStringConvertible {
    /// `/user/name matches nothing (/drop/0)`, or `/user/name cannot match, since the root is an array (/drop/0)`.
    public var description: String {
        "\(selector) \(cannotMatch ? "cannot match, since the root is an array" : "matches nothing") (\(rule))"
    }
}

/// Finds out which selectors of a profile match something in a text.
struct RuleMatcher {
    /// A position in a pointer: the index of its selector, and of the segment to match next.
    private struct Trail {
        var rule: Int
        var next: Int
    }

    private let selectors: [LocatedSelector]
    private var isMatched: [Bool]
    private var missing: Int

    /// - Parameter direction: the inverse leaves out `drop`, `keep` and `require`, which it never applies.
    init(_ profile: Profile, _ direction: Profile.Direction) {
        let forwardOnly = ["drop", "keep", "require"]
        selectors = profile.inputSelectors
            .filter { direction == .forward || !forwardOnly.contains($0.section) }.map(\.selector)
        isMatched = selectors.map { _ in false }
        missing = selectors.count
    }

    /// The rules whose selectors match nothing in the tape's text. Its keys must be those that the selectors use.
    mutating func unmatched(in tape: borrowing JSONTape) -> [UnmatchedRule] {
        let trails = selectors.indices.filter { !selectors[$0].selector.pointerSegments.isEmpty }
        visit(0, trails.map { Trail(rule: $0, next: 0) }, tape)
        let isArray = tape.tokens[0].kind == .array
        return selectors.indices.filter { !isMatched[$0] }.map { index in
            let selector = selectors[index].selector
            return UnmatchedRule(
                selector: selector.description, rule: selectors[index].location.pointer,
                cannotMatch: isArray && selector.beginsWithKey)
        }
    }

    /// Follows the trails into the value at a token. The recursion is as deep as the text, whose depth is limited.
    private mutating func visit(_ index: Int, _ trails: [Trail], _ tape: borrowing JSONTape) {
        let token = tape.tokens[index]
        guard missing > 0, token.kind == .object || token.kind == .array else { return }
        var (next, position) = (index + 1, 0)
        while next < token.next {
            let isMember = token.kind == .object
            let name = isMember ? tape.content(next) : Array(String(position).utf8)
            let value = isMember ? next + 1 : next
            visit(value, follow(trails, name, isMember: isMember), tape)
            next = tape.tokens[value].next
            position += 1
        }
    }

    private mutating func follow(_ trails: [Trail], _ name: [UInt8], isMember: Bool) -> [Trail] {
        var inner: [Trail] = []
        func goOn(_ rule: Int, _ next: Int) {
            if !inner.contains(where: { $0.rule == rule && $0.next == next }) {
                inner.append(Trail(rule: rule, next: next))
            }
        }
        for trail in trails where !isMatched[trail.rule] {
            let segments = selectors[trail.rule].selector.pointerSegments
            var next = trail.next
            // `**` stays for deeper levels, and the segment after it may match at this level.
            while next < segments.count, segments[next] == .anyDepth {
                goOn(trail.rule, next)
                next += 1
            }
            if next == segments.count { match(trail.rule) }
            guard next < segments.count, segments[next] == .anyOne || segments[next] == .literal(name) else { continue }
            if segments[(next + 1)...].allSatisfy({ $0 == .anyDepth }) { match(trail.rule) }
            goOn(trail.rule, next + 1)
        }
        if isMember {
            for index in selectors.indices where !isMatched[index] && selectors[index].selector.matchesName(name) {
                match(index)
            }
        }
        return inner
    }

    private mutating func match(_ rule: Int) {
        guard !isMatched[rule] else { return }
        isMatched[rule] = true
        missing -= 1
    }
}

extension Selector {
    /// Whether the first segment of the pointer can only be the key of an object.
    var beginsWithKey: Bool {
        guard case .literal(let name)? = pointerSegments.first else { return false }
        return !name.allSatisfy(ASCII.isDigit)
    }
}

extension Profile {
    /// The rules that match nothing in a payload. If the profile's root differs from the payload's, these are all rules.
    ///
    /// For tests and debugging: this parses the payload again.
    ///
    /// - Parameters:
    ///   - payload: valid JSON, with the keys that the profile's selectors use: those of its forward direction's input.
    ///   - direction: the direction in which the rules would be applied.
    /// - Throws: `ConversionError` for a payload that is not JSON.
    public func unmatchedRules(
        in payload: [UInt8], applying direction: Direction = .forward
    ) throws(ConversionError) -> [UnmatchedRule] {
        var text = ByteBuffer(capacity: payload.count)
        var converter = Converter(.minify())
        try converter.finish(payload.span, into: &text)
        var tape = JSONTape(text: text)
        tape.index()
        var matcher = RuleMatcher(self, direction)
        return matcher.unmatched(in: tape)
    }
}
