/// Finds what somebody who mistyped a name probably meant.
enum Spelling {
    /// The candidate that takes the fewest edits, the first of equals; nil when all are too far to be meant.
    ///
    /// An edit inserts, removes or replaces one character, or swaps two neighbours; capitals do not count, and a beginning of at
    /// least three characters is as good as one edit.
    static func nearest(to name: String, among candidates: [String]) -> String? {
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let (typed, known) = (name.lowercased(), candidate.lowercased())
            let isBeginning = typed.count >= 3 && known.hasPrefix(typed)
            let found = isBeginning ? 1 : distance(Array(typed), Array(known))
            if found < (best?.distance ?? Int.max) { best = (candidate, found) }
        }
        guard let best, best.distance <= max(2, name.count / 2) else { return nil }
        return best.candidate
    }

    /// The edit distance with swaps (optimal string alignment), a row at a time.
    private static func distance(_ left: [Character], _ right: [Character]) -> Int {
        var beforeLast: [Int] = []
        var last = Array(0...right.count)
        for i in left.indices {
            var current = [i + 1]
            for j in right.indices {
                let replaced = last[j] + (left[i] == right[j] ? 0 : 1)
                var cost = min(replaced, last[j + 1] + 1, current[j] + 1)
                if i > 0, j > 0, left[i] == right[j - 1], left[i - 1] == right[j] {
                    cost = min(cost, beforeLast[j - 1] + 1)
                }
                current.append(cost)
            }
            beforeLast = last
            last = current
        }
        return last[right.count]
    }
}
