import HTTPSemantics
import Text

/// Finds the longest of many route prefixes that covers a path. The time hardly grows with their number.
///
/// The prefixes are in an order in which a slash comes before every other byte. So between a path and the longest
/// prefix that covers it there are only prefixes below that one. The last prefix before the path is the wanted one, or
/// below it.
struct PrefixIndex: Sendable {
    private struct Entry: Sendable {
        let prefix: RoutePrefix
        /// The index of the longest other prefix that covers this one; nil if none does.
        var parent: Int?
        /// In the order of the file.
        var routes: [Int]
    }

    private var entries: [Entry] = []

    /// - Parameter routes: prefixes and their routes, in the order of the file.
    init(_ routes: [(prefix: RoutePrefix, route: Int)]) {
        var byPrefix: [RoutePrefix: [Int]] = [:]
        for (prefix, route) in routes { byPrefix[prefix, default: []].append(route) }
        entries = byPrefix.map { Entry(prefix: $0.key, routes: $0.value) }
        entries.sort { Self.isAfter($1.prefix.bytes[...], $0.prefix.bytes[...]) }
        for index in entries.indices.dropFirst() {
            var parent: Int? = index - 1
            while let candidate = parent, !entries[candidate].prefix.covers(entries[index].prefix) {
                parent = entries[candidate].parent
            }
            entries[index].parent = parent
        }
    }

    /// The routes of the longest prefix that covers the path, in the order of the file; empty if none does.
    func routes(for path: RequestPath) -> [Int] {
        let bytes = path.bytes.contains(ASCII.percent) ? RequestPath.withUppercaseEscapes(path.bytes[...]) : path.bytes
        var index = indexBefore(bytes[...])
        while let candidate = index {
            if entries[candidate].prefix.covers(path) { return entries[candidate].routes }
            index = entries[candidate].parent
        }
        return []
    }

    /// The index of the last prefix that does not come after the path.
    private func indexBefore(_ path: ArraySlice<UInt8>) -> Int? {
        var (low, high) = (0, entries.count)
        while low < high {
            let middle = (low + high) / 2
            if Self.isAfter(entries[middle].prefix.bytes[...], path) { high = middle } else { low = middle + 1 }
        }
        return low == 0 ? nil : low - 1
    }

    /// Whether `first` comes after `second`; equal ones do not.
    private static func isAfter(_ first: ArraySlice<UInt8>, _ second: ArraySlice<UInt8>) -> Bool {
        for (one, other) in zip(first, second) where one != other {
            return other == ASCII.slash || (one != ASCII.slash && one > other)
        }
        return first.count > second.count
    }
}
