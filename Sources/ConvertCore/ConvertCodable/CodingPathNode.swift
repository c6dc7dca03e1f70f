/// One node of a coding path: a linked list from the innermost key outwards. So a level costs one small object and no copy.
final class CodingPathNode: Sendable {
    let parent: CodingPathNode?
    let key: any CodingKey
    /// The number of keys from the root to this node.
    let depth: Int

    init(_ key: any CodingKey, after parent: CodingPathNode?) {
        self.parent = parent
        self.key = key
        depth = parent.depth + 1
    }
}

extension CodingPathNode? {
    /// The number of keys, which is that of the containers around the value.
    var depth: Int { self?.depth ?? 0 }

    /// The keys, from the root to this node.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var node = self
        while let current = node {
            keys.append(current.key)
            node = current.parent
        }
        return keys.reversed()
    }

    /// The JSON Pointer of this path. It comes from the keys alone, because a search for the token would scan all tokens before it.
    var pointer: String { JSONPointer(codingPath: keys).description }

    /// The pointer for a message; the middle of a long pointer is cut out. There may be as many messages as elements.
    var shortPointer: String {
        let pointer = pointer.unicodeScalars
        guard pointer.count > Self.maxShortScalars else { return String(pointer) }
        let half = Self.maxShortScalars / 2
        return String(pointer.prefix(half)) + "…" + String(pointer.suffix(half))
    }

    private static var maxShortScalars: Int { 256 }

    func appending(_ key: any CodingKey) -> CodingPathNode { CodingPathNode(key, after: self) }
}
