/// Warns the developer, in debug builds and once for each decoder, of a profile none of whose paths can match the payload.
struct RootWarning {
    /// Nil where some rule may match an array, or where there is none that begins with a key.
    private let ruleOfObjects: String?

    init(_ profile: Profile) {
        let pointers = profile.inputSelectors.filter { !$0.selector.selector.pointerSegments.isEmpty }
        let allBeginWithKey = pointers.allSatisfy { $0.selector.selector.beginsWithKey }
        ruleOfObjects = allBeginWithKey ? pointers.first?.selector.selector.description : nil
    }

    /// What to say of a payload whose root is of this kind.
    func message(root: JSONTape.Kind) -> String? {
        guard root == .array, let ruleOfObjects else { return nil }
        return
            "ConvertDecoder: the payload is an array, but the profile's rules are for an object, such as \(ruleOfObjects); "
            + "use `prefixed(with: \"/*\")` or `describing:`"
    }
}
