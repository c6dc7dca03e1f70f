import ConvertEngine
import ConvertText

/// The pairs of values of a sample: each value of the output, and the value of the input that it came from.
///
/// Members keep their order unless they are moved or sorted. So they are matched in order, by keys, words in keys and values.
/// In sorted outputs, those that are much alike are matched before, in any order. Others may be moves, which `MoveInference` adds.
struct SampleAlignment {
    let input: SampleTree
    let output: SampleTree
    /// For each node of the input, its node of the output; nil if it has none.
    private(set) var target: [Int?]
    /// For each node of the output, its node of the input; nil if it has none.
    private(set) var source: [Int?]

    /// Nodes of the input that a move brings to another path.
    private(set) var moved: Set<Int> = []

    /// The output keys that were found for each input key, with their share of all values with this input key, or `unlike`.
    typealias KnownNames = [[UInt8]: [[UInt8]: Double]]

    /// Instead of a share: the values with the input key are not those with the output key.
    static let unlike = -2.0

    /// The most pairs of members that are compared. Larger containers are matched only by equal keys.
    private static let maxPairs = 250_000

    private let known: KnownNames
    private let isSorted: Bool

    init(_ input: SampleTree, _ output: SampleTree, known: KnownNames = [:], isSorted: Bool) {
        self.input = input
        self.output = output
        self.known = known
        self.isSorted = isSorted
        target = Array(repeating: nil, count: input.count)
        source = Array(repeating: nil, count: output.count)
        match(0, 0)
    }

    /// Adds a move, and matches the values in the moved one.
    mutating func move(_ left: Int, _ right: Int) {
        moved.insert(left)
        match(left, right)
    }

    private mutating func match(_ first: Int, _ second: Int) {
        var open = [(first, second)]
        while let (left, right) = open.popLast() {
            target[left] = right
            source[right] = left
            switch (input.kind(left), output.kind(right)) {
            case (.object, .object): open += matches(input.children(left), output.children(right), areMembers: true)
            case (.array, .array):
                let (elements, results) = (input.children(left), output.children(right))
                open +=
                    elements.count == results.count
                    ? Array(zip(elements, results)) : matches(elements, results, areMembers: false)
            default: break
            }
        }
    }

    /// Objects of the input that are missing in the output, although values in them were moved.
    var emptied: Set<Int> {
        var found: Set<Int> = []
        for node in moved {
            var next = input.parent(node)
            while let parent = next, target[parent] == nil, found.insert(parent).inserted {
                next = input.parent(parent)
            }
        }
        return found
    }

    /// Values of the input that are missing in the output, although their container is there.
    var removed: [Int] {
        (0..<input.count).filter { node in
            guard target[node] == nil, let parent = input.parent(node), let holder = target[parent] else {
                return false
            }
            return output.kind(holder).isContainer
        }
    }

    /// Values of the output without a source in the input, although their container has one, or a move created it.
    var new: [Int] {
        var hasSource = source.map { $0 != nil }
        for node in (0..<output.count).reversed() where hasSource[node] {
            if let parent = output.parent(node) { hasSource[parent] = true }
        }
        return (0..<output.count).filter { node in
            guard !hasSource[node], let parent = output.parent(node), hasSource[parent] else { return false }
            return source[parent].map { input.kind($0).isContainer } ?? true
        }
    }

    // MARK: Members and elements

    private func matches(_ left: [Int], _ right: [Int], areMembers: Bool) -> [(Int, Int)] {
        guard left.count * right.count <= Self.maxPairs else { return byName(left, right) }
        guard areMembers else {
            let scores = left.map { element in right.map { elementScore(element, $0) } }
            return inOrder(scores).map { (left[$0], right[$1]) }
        }
        let settled = settledNames(left, right)
        let words = left.map { input.name($0).map(Self.words) }
        let results = right.map { output.name($0).map(Self.words) }
        let scores = zip(left, words).map { member, words in
            zip(right, results).map { memberScore(member, $0, areAlike: words == $1, settled) }
        }
        var pairs = isSorted ? byLikeness(scores) : []
        var rest = scores
        for (row, column) in pairs {
            rest[row] = rest[row].map { _ in 0 }
            for other in rest.indices { rest[other][column] = 0 }
        }
        pairs += inOrder(rest)
        let (takenLeft, takenRight) = (Set(pairs.map(\.0)), Set(pairs.map(\.1)))
        // If one member remains on each side between two pairs, the two are a pair.
        let anchors = pairs.filter { pair in pairs.allSatisfy { ($0.0 < pair.0) == ($0.1 < pair.1) } }.sorted {
            $0.0 < $1.0
        }
        var (row, column) = (0, 0)
        for (endRow, endColumn) in anchors + [(left.count, right.count)] {
            let rows = (row..<endRow).filter { !takenLeft.contains($0) }
            let columns = (column..<endColumn).filter { !takenRight.contains($0) }
            if rows.count == 1, columns.count == 1, scores[rows[0]][columns[0]] > -1 {
                pairs.append((rows[0], columns[0]))
            }
            (row, column) = (endRow + 1, endColumn + 1)
        }
        return pairs.map { (left[$0], right[$1]) }
    }

    private func byName(_ left: [Int], _ right: [Int]) -> [(Int, Int)] {
        var nodes: [[UInt8]?: Int] = [:]
        for node in right { nodes[output.name(node)] = node }
        return left.compactMap { node in nodes[input.name(node)].map { (node, $0) } }
    }

    /// The pairs of members that are much alike, the most alike first.
    private func byLikeness(_ scores: [[Double]]) -> [(Int, Int)] {
        var likely: [(row: Int, column: Int, score: Double)] = []
        for (row, line) in scores.enumerated() {
            for (column, score) in line.enumerated() where score >= 3 { likely.append((row, column, score)) }
        }
        likely.sort { ($1.score, $0.row, $0.column) < ($0.score, $1.row, $1.column) }
        var (rows, columns): (Set<Int>, Set<Int>) = ([], [])
        var pairs: [(Int, Int)] = []
        for (row, column, _) in likely where !rows.contains(row) && !columns.contains(column) {
            pairs.append((row, column))
            rows.insert(row)
            columns.insert(column)
        }
        return pairs
    }

    /// The pairs in order with the greatest sum of scores. Only a score above 0.5 makes a pair.
    private func inOrder(_ scores: [[Double]]) -> [(Int, Int)] {
        let (rows, columns) = (scores.count, scores.first?.count ?? 0)
        guard rows > 0, columns > 0 else { return [] }
        var sums = Array(repeating: Array(repeating: 0.0, count: columns + 1), count: rows + 1)
        for row in stride(from: rows - 1, through: 0, by: -1) {
            for column in stride(from: columns - 1, through: 0, by: -1) {
                let paired = scores[row][column] > 0.5 ? sums[row + 1][column + 1] + scores[row][column] : 0
                sums[row][column] = max(paired, sums[row + 1][column], sums[row][column + 1])
            }
        }
        var pairs: [(Int, Int)] = []
        var (row, column) = (0, 0)
        while row < rows, column < columns {
            if scores[row][column] > 0.5, sums[row][column] == sums[row + 1][column + 1] + scores[row][column] {
                pairs.append((row, column))
                (row, column) = (row + 1, column + 1)
            } else if sums[row][column] == sums[row + 1][column] {
                row += 1
            } else {
                column += 1
            }
        }
        return pairs
    }

    /// The keys that have the same value in both objects. Without another sample, none of them becomes another one.
    private func settledNames(_ left: [Int], _ right: [Int]) -> Set<[UInt8]> {
        let same = byName(left, right).filter { node, target in
            !input.kind(node).isContainer && input.kind(node) == output.kind(target)
        }
        return Set(same.compactMap { input.name($0.0) })
    }

    private func memberScore(_ left: Int, _ right: Int, areAlike: Bool, _ settled: Set<[UInt8]>) -> Double {
        guard let name = input.name(left), let result = output.name(right) else { return 0 }
        if name != result, known[name]?[result] == nil, settled.contains(name), settled.contains(result) {
            return Self.unlike
        }
        let likeness = name == result ? 4 : areAlike ? 3.5 : 0
        guard let shares = known[name] else { return likeness + valueScore(left, right) }
        return likeness / 3 + 3 * (shares[result] ?? 0) + valueScore(left, right)
    }

    private func elementScore(_ left: Int, _ right: Int) -> Double {
        let score = valueScore(left, right)
        return score >= 0 ? score + 0.6 : 0
    }

    private func valueScore(_ left: Int, _ right: Int) -> Double {
        let (before, after) = (input.kind(left), output.kind(right))
        switch (before.isContainer, after.isContainer) {
        case (false, false):
            if before == after { return before.isDistinctive ? 4 : 1.2 }
            // No rule changes null.
            if before == .null { return -1.5 }
            return after == .null ? -0.5 : 0
        case (true, true):
            return before == after ? 4 * input.likeness(left, to: right, in: output) : -2
        case (false, true):
            if case .string(let content) = before,
                content.first == UInt8(ascii: "{") || content.first == UInt8(ascii: "[")
            {
                return 1
            }
            return -3
        // `badValue` may be `null`.
        case (true, false): return after == .null ? -1 : -3
        }
    }

    /// The key in lower case, without underscores, hyphens, dots and spaces.
    static func words(_ name: [UInt8]) -> [UInt8] {
        let plain = name.filter { ![ASCII.underscore, ASCII.minus, ASCII.dot, ASCII.space].contains($0) }
        return Array(String(decoding: plain, as: UTF8.self).lowercased().utf8)
    }
}
