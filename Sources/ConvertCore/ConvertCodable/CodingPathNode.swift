import ConvertFormats

/// The coding path as a list from the innermost key out, so that a level costs one small object and no copy.
final class CodingPathNode: Sendable {
    let parent: CodingPathNode?
    let key: any CodingKey

    init(_ key: any CodingKey, after parent: CodingPathNode?) {
        self.parent = parent
        self.key = key
    }
}

extension CodingPathNode? {
    /// The keys from the root on.
    var keys: [any CodingKey] {
        var keys: [any CodingKey] = []
        var node = self
        while let current = node {
            keys.append(current.key)
            node = current.parent
        }
        return keys.reversed()
    }

    /// The JSON Pointer to the place. Made of the path alone: to look for a token would take as long as all before it.
    var pointer: String { JSONPointer(codingPath: keys).description }

    /// The pointer for a message: of a long one the beginning and the end. There may be as many messages as elements.
    var shortPointer: String {
        let pointer = pointer.unicodeScalars
        guard pointer.count > Self.maxShortScalars else { return String(pointer) }
        let half = Self.maxShortScalars / 2
        return String(pointer.prefix(half)) + "…" + String(pointer.suffix(half))
    }

    private static var maxShortScalars: Int { 256 }

    func appending(_ key: any CodingKey) -> CodingPathNode { CodingPathNode(key, after: self) }
}
