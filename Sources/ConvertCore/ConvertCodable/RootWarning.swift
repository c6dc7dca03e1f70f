import ConvertEngine
import ConvertProfiles
import ConvertText
import Synchronization

/// Warns the developer that no rule can match a value because its root is an array: in debug builds, once for each coder.
final class RootWarning: Sendable {
    private let coder: String
    /// The first rule that begins with a key; nil if there is none, or if some rule may match an array.
    private let ruleOfObjects: String?
    private let hasWarned = Atomic(false)

    init(_ profile: Profile?, of coder: String) {
        self.coder = coder
        let all = profile.map { $0.inputSelectors.map(\.selector.selector) } ?? []
        let pointers = all.filter { !$0.pointerSegments.isEmpty }
        // With `unwrap`, the profile's rules begin above the root that is checked here.
        let isForObjects = profile?.unwrap == nil && pointers.allSatisfy(\.beginsWithKey)
        ruleOfObjects = isForObjects ? pointers.first?.description : nil
    }

    /// Writes the warning to standard error.
    ///
    /// - Parameters:
    ///   - isArray: whether the root of the value is an array.
    ///   - failures: the rules for elements that fail.
    @inline(__always)
    func warn(isArray: Bool, _ failures: [ElementFailureRule] = []) {
        #if DEBUG
            guard isArray, let message = message(ofArray: failures) else { return }
            if !hasWarned.exchange(true, ordering: .relaxed) { AtomicFile.writeToStandardError(message) }
        #endif
    }

    /// The warning for a value whose root is an array; nil if some rule may match.
    func message(ofArray failures: [ElementFailureRule] = []) -> String? {
        if let ruleOfObjects {
            return
                "\(coder): the root is an array, but the profile's rules are for an object, such as \(ruleOfObjects); "
                + "use `prefixed(with: \"/*\")` or `describing:`"
        }
        guard let array = failures.lazy.compactMap(\.array).first(where: \.beginsWithKey) else { return nil }
        return "\(coder): the root is an array, so no array is at \(array) for `elementFailures`; use /*\(array)"
    }
}

extension JSONPointer {
    /// Whether the first segment can only be the key of an object.
    fileprivate var beginsWithKey: Bool {
        guard let first = segments.first else { return false }
        return first != "*" && !first.utf8.allSatisfy(ASCII.isDigit)
    }
}
