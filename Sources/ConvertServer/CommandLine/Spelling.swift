import ConvertCore

/// Finds what somebody who mistyped an option, a command or a choice probably meant.
enum Spelling {
    /// The candidate with the fewest edits, the first of equals; nil if all are too far away.
    ///
    /// An edit inserts, removes or replaces one byte, or swaps two neighbours. Capitals do not count. A common
    /// beginning of at least three letters is as good as one edit.
    static func nearest(to name: String, among candidates: [String]) -> String? {
        let typed = Array(name.lowercased().utf8)
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let known = Array(candidate.lowercased().utf8)
            let isBeginning = typed.count >= 3 && known.starts(with: typed)
            let found = isBeginning ? 1 : NearestName.distance(typed, known)
            if found < (best?.distance ?? Int.max) { best = (candidate, found) }
        }
        guard let best, best.distance <= max(2, typed.count / 2) else { return nil }
        return best.candidate
    }
}
