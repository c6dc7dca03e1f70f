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
    private let selectors: [LocatedSelector]
    /// The pointers among the selectors, and the selectors that end at each node.
    private var pointers = PointerTree()
    private let root: Int32
    private var ends: [Int32: [Int]] = [:]
    /// The selectors that have matched nothing so far.
    private var missing: Set<Int>

    init(_ profile: Profile, _ direction: Profile.Direction) {
        selectors = profile.inputSelectors(direction)
        missing = Set(selectors.indices)
        root = pointers.addRoot()
        for (index, rule) in selectors.enumerated() {
            guard case .pointer(let segments) = rule.selector.form else { continue }
            let end = segments.reduce(root) { pointers.extend($0, by: $1) }
            ends[end, default: []].append(index)
        }
    }

    /// The rules whose selectors match nothing in the tape's text. Its keys must be those that the selectors use.
    mutating func unmatched(in tape: borrowing JSONTape) -> [UnmatchedRule] {
        var positions: [Int32] = []
        pointers.arrive(at: root) { positions.append($0) }
        visit(0, positions, tape)
        let isArray = tape.tokens[0].kind == .array
        return missing.sorted().map { index in
            let selector = selectors[index].selector
            return UnmatchedRule(
                selector: selector.description, rule: selectors[index].location.pointer,
                cannotMatch: isArray && selector.beginsWithKey)
        }
    }

    /// Follows the pointers into the value at a token. The recursion is as deep as the text, whose depth is limited.
    private mutating func visit(_ index: Int, _ positions: [Int32], _ tape: borrowing JSONTape) {
        let token = tape.tokens[index]
        guard !missing.isEmpty, token.kind == .object || token.kind == .array else { return }
        var (next, position) = (index + 1, 0)
        while next < token.next {
            let isMember = token.kind == .object
            let name = isMember ? tape.content(next) : Array(String(position).utf8)
            let value = isMember ? next + 1 : next
            visit(value, follow(positions, name, isMember: isMember), tape)
            next = tape.tokens[value].next
            position += 1
        }
    }

    /// Marks the selectors that match a member or element, and returns the positions of pointers that may match in it.
    private mutating func follow(_ positions: [Int32], _ name: [UInt8], isMember: Bool) -> [Int32] {
        var reached: Set<Int32> = []
        pointers.step(from: positions, by: name) { reached.insert($0) }
        for node in reached { missing.subtract(ends[node] ?? []) }
        if isMember {
            for index in missing where selectors[index].selector.matchesName(name) { missing.remove(index) }
        }
        return reached.filter { pointers.isPosition($0) }
    }
}

extension Selector {
    /// Whether the first segment of the pointer can only be the key of an object.
    var beginsWithKey: Bool {
        guard let name = pointerSegments.first?.name else { return false }
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
