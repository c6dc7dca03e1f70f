import ConvertText

/// A JSON text as a tree whose nodes know their position.
///
/// Nodes are stored in one array and refer to each other by index. Lines, columns and pointers are computed only for an
/// error. Keys may occur twice, since each reader decides whether that is an error.
package struct JSONDocument: Sendable {
    /// The most containers of a profile that may be open at one time.
    package static let maxDepth = 64

    /// The number of a node; 0 is the root.
    package struct NodeID: Sendable, Hashable {
        package let index: Int

        package init(index: Int) { self.index = index }
    }

    package enum Kind: Sendable, Hashable {
        case null
        case boolean(Bool)
        /// The number's source text.
        case number([UInt8])
        /// The unescaped content; a lone surrogate escape leaves three bytes that are not UTF-8.
        case string([UInt8])
        case array
        case object
    }

    /// The step from a node's parent to the node.
    package enum Step: Sendable, Hashable {
        case root
        case index(Int)
        /// The member's unescaped key, and the offset of its opening quote.
        case member([UInt8], nameOffset: Int)

        /// The key of a member; nil for any other.
        package var name: [UInt8]? { if case .member(let name, _) = self { name } else { nil } }
    }

    package struct Node: Sendable {
        package let kind: Kind
        package let step: Step
        package let parent: NodeID?
        /// Byte offset of the value's first byte.
        package let start: Int
        /// Byte offset after the value's last byte.
        package internal(set) var end: Int
        package internal(set) var children: [NodeID] = []

        package init(kind: Kind, step: Step, parent: NodeID?, start: Int, end: Int) {
            self.kind = kind
            self.step = step
            self.parent = parent
            self.start = start
            self.end = end
        }
    }

    /// A position in the text; both numbers count from 1, columns in bytes.
    package struct Position: Sendable, Hashable {
        package let line: Int
        package let column: Int
    }

    /// The text without a byte order mark.
    package let text: [UInt8]
    package private(set) var nodes: [Node] = []

    /// The outermost value.
    package static let root = NodeID(index: 0)

    private let lineStarts: [Int]

    package init(text: [UInt8]) {
        self.text = text
        lineStarts = [0] + text.indices.filter { text[$0] == ASCII.lineFeed }.map { $0 + 1 }
    }

    package subscript(id: NodeID) -> Node { nodes[id.index] }

    /// The bytes of a value in the text.
    package func source(of id: NodeID) -> [UInt8] { Array(text[self[id].start..<self[id].end]) }

    /// The RFC 6901 pointer to a node.
    package func pointer(to id: NodeID) -> String {
        var steps: [String] = []
        var current = id
        while let parent = self[current].parent {
            switch self[current].step {
            case .root: break
            case .index(let index): steps.append("/\(index)")
            case .member(let name, _): steps.append(PayloadPointer.step(name))
            }
            current = parent
        }
        return steps.reversed().joined()
    }

    package func position(of offset: Int) -> Position {
        let line = lineStarts.partitioningIndex { $0 > offset }
        return Position(line: line, column: offset - lineStarts[line - 1] + 1)
    }

    /// Adds a node as the last child of its parent, which must already be in the tree.
    package mutating func append(_ node: Node) -> NodeID {
        let id = NodeID(index: nodes.count)
        nodes.append(node)
        if let parent = node.parent { nodes[parent.index].children.append(id) }
        return id
    }

    /// Sets the end of a container's text.
    package mutating func close(_ id: NodeID, end: Int) { nodes[id.index].end = end }
}
