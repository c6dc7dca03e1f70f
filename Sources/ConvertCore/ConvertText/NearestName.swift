/// Finds the known name that a misspelt name most probably means.
package enum NearestName {
    /// The limit for the bytes of a name that are compared; the rest could only increase the distance.
    private static let maxComparedBytes = 64

    /// Names that users of other programs write, and the name here. The part before a dot is the section that has the name.
    private static let synonyms = [
        "iso8601": "rfc3339", "iso-8601": "rfc3339", "iso": "rfc3339", "unix": "epoch-s", "timestamp": "epoch-s",
        "unixtime": "epoch-s", "millis": "epoch-ms", "micros": "epoch-us", "nanos": "epoch-ns", "bool": "boolean",
        "int": "integer", "str": "string", "text": "string", "float": "number", "double": "number", "ignore": "skip",
        "remove": "drop", "delete": "drop", "omit": "drop", "exclude": "drop", "include": "keep", "only": "keep",
        "pick": "keep", "map": "rename", "mapping": "rename", "required": "require",
        "timeout": "responseTimeoutSeconds", "url": "servers", "urls": "servers", "targets": "servers",
        "log": "accessLog", "host": "listen", "workers": "loops", "threads": "loops",
        "port": "listen", "bind": "listen", "address": "listen", "backend": "upstream", "proxy": "upstream",
        "lowercase": "flatcase", "uppercase": "SCREAMING_SNAKE_CASE", "constant_case": "SCREAMING_SNAKE_CASE",
        "case": "keys.case", "opaque": "keys.opaque", "except": "keys.except", "acronyms": "keys.acronyms",
    ]

    /// A synonym, or the candidate with the smallest edit distance; the first of equal ones, and nil if all are too far away.
    ///
    /// Letters of either case count as equal, and names that differ only in hyphens and underscores too. A common beginning of at least
    /// three letters is as good as one edit. Otherwise more than half of the longer name must be the same, and at most `maxEdits` bytes
    /// may differ.
    package static func nearest(to name: [UInt8], among candidates: [String], maxEdits: Int = .max) -> String? {
        let written = folded(name)
        if let synonym = synonyms[String(decoding: written, as: UTF8.self)],
            candidates.contains(String(decoding: Array(synonym.utf8).prefix { $0 != ASCII.dot }, as: UTF8.self))
        {
            return synonym
        }
        var best: (candidate: String, distance: Int)?
        for candidate in candidates {
            let known = folded(Array(candidate.utf8))
            let isBeginning = written.count >= 3 && known.starts(with: written)
            func isNear(_ edits: Int) -> Bool {
                edits == 0 || 2 * edits < max(written.count, known.count) && edits <= maxEdits
            }
            // The names differ by at least as many edits as bytes.
            guard isBeginning || isNear(abs(written.count - known.count)) else { continue }
            let found = letters(written) == letters(known) ? 0 : isBeginning ? 1 : distance(written, known)
            guard isNear(found) else { continue }
            if found < best?.distance ?? Int.max { best = (candidate, found) }
        }
        return best?.candidate
    }

    package static func nearest(to name: String, among candidates: [String]) -> String? {
        nearest(to: Array(name.utf8), among: candidates)
    }

    /// Single-byte insertions, deletions, replacements and swaps of neighbours that turn one name into the other.
    ///
    /// Damerau and Levenshtein's distance in its restricted form, one row of the table at a time.
    package static func distance(_ source: [UInt8], _ target: [UInt8]) -> Int {
        var beforePrevious = [Int](repeating: 0, count: target.count + 1)
        var previous = Array(0...target.count)
        for row in source.indices {
            var current = [row + 1]
            current.reserveCapacity(target.count + 1)
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

    /// A name without hyphens and underscores: `epochms` of `epoch-ms`.
    private static func letters(_ name: [UInt8]) -> [UInt8] {
        name.filter { $0 != ASCII.hyphen && $0 != ASCII.underscore }
    }

    private static func folded(_ name: [UInt8]) -> [UInt8] {
        name.prefix(maxComparedBytes).map { ASCII.lowercased($0) }
    }
}
