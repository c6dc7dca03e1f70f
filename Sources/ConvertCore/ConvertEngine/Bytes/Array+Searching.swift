extension Array {
    /// The index of the first element for which `isBehind` is true, found by halving; the count if there is none. It must also be true
    /// for all elements after that one.
    @inlinable
    package func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var (low, high) = (0, count)
        while low < high {
            let middle = low + (high - low) / 2
            if isBehind(self[middle]) { high = middle } else { low = middle + 1 }
        }
        return low
    }
}
