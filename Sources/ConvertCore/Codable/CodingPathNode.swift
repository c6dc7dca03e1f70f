/// The coding path as a list from the innermost key out, so that a level costs one small object and no copy.
final class CodingPathNode {
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

    func appending(_ key: any CodingKey) -> CodingPathNode { CodingPathNode(key, after: self) }
}
