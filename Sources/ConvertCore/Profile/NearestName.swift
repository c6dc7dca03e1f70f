/// Finds the known name that a misspelt one most probably meant.
package enum NearestName {
    /// The bytes of a name that are looked at; the rest can only make it less alike.
    private static let maxComparedBytes = 64

    /// The candidate with the smallest edit distance, letters of either case counting as equal; the earlier one of two.
    package static func nearest(to name: [UInt8], among candidates: [String]) -> String? {
        let written = folded(name)
        let distances = candidates.map { distance(written, folded(Array($0.utf8))) }
        return zip(candidates, distances).min { $0.1 < $1.1 }?.0
    }

    /// Single-byte insertions, deletions, replacements and swaps of neighbours that turn one name into the other.
    ///
    /// Damerau and Levenshtein's distance in its restricted form, one row of the table at a time.
    package static func distance(_ source: [UInt8], _ target: [UInt8]) -> Int {
        var beforePrevious = [Int](repeating: 0, count: target.count + 1)
        var previous = Array(0...target.count)
        for row in source.indices {
            var current = [row + 1]
            for column in target.indices {
                let replacement = previous[column] + (source[row] == target[column] ? 0 : 1)
                var best = min(replacement, previous[column + 1] + 1, current[column] + 1)
                if row > 0, column > 0, source[row] == target[column - 1], source[row - 1] == target[column] {
                    best = min(best, beforePrevious[column - 1] + 1)
                }
                current.append(best)
            }
            beforePrevious = previous
            previous = current
        }
        return previous[target.count]
    }

    private static func folded(_ name: [UInt8]) -> [UInt8] {
        let lowerCaseBit = ASCII.a - ASCII.upperA
        return name.prefix(maxComparedBytes).map { ASCII.isLetter($0) ? $0 | lowerCaseBit : $0 }
    }
}
