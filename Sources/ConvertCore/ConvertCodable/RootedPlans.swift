import ConvertProfiles
import Synchronization

/// The pools of a coder whose profile describes one type: one for each number of containers around that type.
final class RootedPlans<Pool: Sendable>: Sendable {
    private let profile: Profile
    private let root: any Any.Type
    private let make: @Sendable (Profile) throws(ProfileError) -> Pool
    private let pools: Mutex<[Int: Pool]>

    /// - Throws: `ProfileError` if the profile cannot be compiled for a single value.
    init(
        _ profile: Profile, describing root: any Any.Type,
        _ make: @escaping @Sendable (Profile) throws(ProfileError) -> Pool
    ) throws(ProfileError) {
        self.profile = profile
        self.root = root
        self.make = make
        pools = Mutex([0: try make(profile)])
    }

    /// The pool for values of `type`; nil if that is neither the described type nor an array, a set or a dictionary of it.
    func pool(for type: any Any.Type) throws(ProfileError) -> Pool? {
        guard let levels = Self.levels(of: type, above: root), levels == 0 || !isForDocuments else { return nil }
        if let known = pools.withLock({ $0[levels] }) { return known }
        let pool = try make(try profile.prefixed(with: String(repeating: "/*", count: levels)))
        pools.withLock { $0[levels] = pool }
        return pool
    }

    /// Whether rules of the profile are for whole documents, so that its paths cannot begin elsewhere.
    private var isForDocuments: Bool { profile.unwrap != nil || profile.wrap != nil }

    /// The message for a type that the profile does not describe.
    func refusal(of type: any Any.Type) -> String {
        if isForDocuments, Self.levels(of: type, above: root) != nil {
            return "the profile describes one \(root), not \(type): its `unwrap` or `wrap` is for whole documents"
        }
        return
            "the profile describes \(root), not \(type): use a coder of another profile, or of this one with a prefix"
    }

    private static func levels(of type: any Any.Type, above root: any Any.Type) -> Int? {
        if ObjectIdentifier(type) == ObjectIdentifier(root) { return 0 }
        guard let container = type as? any ValueContainer.Type else { return nil }
        return levels(of: container.valueType, above: root).map { $0 + container.levels }
    }
}

/// A type whose JSON contains values of another type, `levels` containers deeper.
private protocol ValueContainer {
    static var valueType: any Any.Type { get }
    static var levels: Int { get }
}

extension ValueContainer {
    static var levels: Int { 1 }
}

extension Optional: ValueContainer {
    static var valueType: any Any.Type { Wrapped.self }
    static var levels: Int { 0 }
}

extension Array: ValueContainer { static var valueType: any Any.Type { Element.self } }
extension ContiguousArray: ValueContainer { static var valueType: any Any.Type { Element.self } }
extension Set: ValueContainer { static var valueType: any Any.Type { Element.self } }
extension Dictionary: ValueContainer { static var valueType: any Any.Type { Value.self } }
