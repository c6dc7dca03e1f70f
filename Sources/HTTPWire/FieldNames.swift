/// A set of field names, compared without case.
public struct FieldNames: Sendable {
    /// All names in lower case, those of one length side by side, so that a look-up meets no other.
    private var bytes: [UInt8] = []
    /// By length of the names: where in `bytes` they begin. Those of the greatest length end with `bytes`.
    private var starts: [Int] = []

    /// No names.
    public init() {}

    public init(_ names: [String]) {
        let lowered = Set(names.map { $0.utf8.map(ASCII.lowercased) })
        for name in lowered.sorted(by: { $0.count < $1.count }) { append(name) }
    }

    public var isEmpty: Bool { bytes.isEmpty }

    public func contains(_ name: ArraySlice<UInt8>) -> Bool {
        let count = name.count
        guard count > 0, count < starts.count else { return false }
        let end = count + 1 < starts.count ? starts[count + 1] : bytes.count
        var start = starts[count]
        while start < end {
            if matches(name, at: start) { return true }
            start += count
        }
        return false
    }

    private func matches(_ name: ArraySlice<UInt8>, at start: Int) -> Bool {
        var place = start
        for index in name.indices {
            guard ASCII.lowercased(name[index]) == bytes[place] else { return false }
            place += 1
        }
        return true
    }

    /// Adds a name that is not shorter than those before it.
    private mutating func append(_ name: [UInt8]) {
        while starts.count <= name.count { starts.append(bytes.count) }
        bytes += name
    }
}
