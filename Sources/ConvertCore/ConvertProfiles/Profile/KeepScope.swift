package import ConvertEngine

/// A scope of a profile's `keep`: each object at its path keeps only these keys.
package struct KeepScope: Sendable, Hashable {
    /// The objects, with input keys.
    package internal(set) var selector: Selector
    /// Where the scope is in the profile.
    package let location: DocumentLocation
    /// The members that stay, each as a path from the object.
    let members: [[Selector.Segment]]

    /// The paths of the members that stay, with input keys.
    var memberSelectors: [LocatedSelector] {
        let start = selector.scopeSegments
        return members.map { LocatedSelector(selector: Selector(segments: start + $0), location: location) }
    }
}

// MARK: - Reading

extension ProfileReader {
    /// Reads the elements of `keep`: each is a selector or an object of scopes.
    mutating func readKeeps(_ id: NodeID) -> (selectors: [LocatedSelector], scopes: [KeepScope]) {
        var selectors: [LocatedSelector] = []
        var scopes: [KeepScope] = []
        func refuseEmpty(_ id: NodeID) {
            refuse(id, "`keep` is empty, so it keeps nothing", hint: "write `drop`, or leave it out")
        }
        if elements(id).isEmpty { refuseEmpty(id) }
        for element in elements(id) {
            switch document[element].kind {
            case .object where document[element].children.isEmpty: refuseEmpty(element)
            case .object: scopes += readScopes(element)
            case .array: refuse(element, expected: "a selector")
            default: selectors += self.selectors(element)
            }
        }
        return (selectors, scopes)
    }

    private mutating func readScopes(_ id: NodeID) -> [KeepScope] {
        var scopes: [KeepScope] = []
        for (child, name) in distinctMembers(of: id) {
            if elements(child).isEmpty {
                refuse(child, "the list is empty, so it keeps nothing", hint: "write `drop` for \(Self.quoted(name))")
            }
            guard let selector = selector(parsing: name, at: locationOfKey(child)) else { continue }
            let members = elements(child).compactMap { readScopeMember($0) }
            scopes.append(KeepScope(selector: selector, location: locationOfKey(child), members: members))
        }
        return scopes
    }

    /// A member of a scope: a key, or a pointer that begins at the scope's object; nil if it is refused.
    private mutating func readScopeMember(_ id: NodeID) -> [Selector.Segment]? {
        guard let text = text(id, expected: "a key or a pointer") else { return nil }
        guard let selector = selector(parsing: Array(text.utf8), at: location(id)) else { return nil }
        switch selector.form {
        case .pointer(let segments):
            guard !segments.contains(.anyDepth) else {
                refuse(
                    id, "the list for an object does not accept `**`",
                    hint: "write the levels one by one, or `*` for each")
                return nil
            }
            return segments
        case .name:
            guard let name = selector.literalName else {
                refuse(id, "the list for an object does not accept keys with `*`", hint: "list the keys one by one")
                return nil
            }
            return [.literal(name)]
        }
    }

    /// The most pairs of a scope and a path that are compared.
    private static let maxScopePairs = 250_000
    /// The most segments of scopes that are compared with a selector in `keep`.
    private static let maxKeptSegments = 4_000_000

    /// Refuses a scope whose object lies between another scope's object and a member that this scope keeps. Also refuses a scope
    /// outside of the pointers in `keep`, if `keep` lists any.
    mutating func refuseScopesOnTheWay(_ profile: Profile) {
        let segments = profile.scopes.reduce(0) { $0 + $1.selector.pointerSegments.count }
        guard segments * profile.keeps.count <= Self.maxKeptSegments else {
            return refuse(
                profile.scopes[0].location, "too many lists in `keep` to compare with its selectors",
                hint: "write fewer of them")
        }
        let keepsNames = profile.keeps.contains { $0.selector.pointerSegments.isEmpty }
        for scope in profile.scopes where !profile.keeps.isEmpty {
            let segments = scope.selector.pointerSegments
            let isKept = profile.keeps.contains { keep in
                segments.indices.contains { keep.selector.covers(segments[...$0]) }
            }
            if keepsNames || !isKept {
                refuse(
                    scope.location, "the object must be below a pointer that `keep` lists, if it lists any path",
                    hint: "list pointers around it, such as /items")
            }
        }
        var pairs = 0
        for outer in profile.scopes {
            let start = outer.selector.scopeSegments
            for member in outer.members where member.count > 1 {
                pairs += profile.scopes.count * member.count
                guard pairs <= Self.maxScopePairs else {
                    return refuse(
                        outer.location, "too many lists in `keep` to compare", hint: "write fewer pointers in them")
                }
                for end in 1..<member.count {
                    let way = Selector(segments: start + member[..<end])
                    guard let inner = profile.scopes.first(where: { $0.selector.canMatchSamePath(as: way) }) else {
                        continue
                    }
                    refuse(
                        inner.location, "the list \(outer.location.inWords) may keep something inside this object",
                        hint: "list the keys there, without a list for this object")
                }
            }
        }
    }
}

extension Selector {
    /// The segments of the selector. A key at any depth begins with `**`.
    fileprivate var scopeSegments: [Segment] {
        guard pointerSegments.isEmpty else { return pointerSegments }
        return [.anyDepth, literalName.map { .literal($0) } ?? .anyOne]
    }
}
