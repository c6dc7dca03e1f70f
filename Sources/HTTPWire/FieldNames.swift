import Text

/// A set of field names, compared without case.
public struct FieldNames: Sendable, Hashable {
    /// All names in lower case, sorted by length and then by bytes, so that a lookup compares few of them.
    private var bytes: [UInt8] = []
    /// By length of the names: their start in `bytes`. The longest names end with `bytes`.
    private var starts: [Int] = []

    /// No names.
    public init() {}

    public init(_ names: [String]) {
        let lowered = Set(names.map { $0.utf8.map(ASCII.lowercased) })
        let ordered = lowered.sorted { $0.count == $1.count ? $0.lexicographicallyPrecedes($1) : $0.count < $1.count }
        for name in ordered { append(name) }
    }

    public var isEmpty: Bool { bytes.isEmpty }

    public func contains(_ name: ArraySlice<UInt8>) -> Bool { index(of: name) != nil }

    /// The position of the name in the set, which identifies it; nil for a name that is not in the set.
    func index(of name: ArraySlice<UInt8>) -> Int? {
        let names = range(of: name.count)
        guard !names.isEmpty else { return nil }
        var low = 0
        var high = names.count / name.count
        while low < high {
            let middle = (low + high) / 2
            let position = names.lowerBound + middle * name.count
            switch difference(name, at: position) {
            case 0: return position
            case ..<0: high = middle
            default: low = middle + 1
            }
        }
        return nil
    }

    /// The range in `bytes` of the names of this length; empty if there are none.
    func range(of length: Int) -> Range<Int> {
        guard length > 0, length < starts.count else { return 0..<0 }
        return starts[length]..<(length + 1 < starts.count ? starts[length + 1] : bytes.count)
    }

    /// Negative, zero or positive if the name is before, equal to or after the one that begins at `start`.
    private func difference(_ name: ArraySlice<UInt8>, at start: Int) -> Int {
        var position = start
        for index in name.indices {
            let (byte, own) = (ASCII.lowercased(name[index]), bytes[position])
            if byte != own { return Int(byte) - Int(own) }
            position += 1
        }
        return 0
    }

    /// Adds a name that is not shorter than those before it.
    private mutating func append(_ name: [UInt8]) {
        while starts.count <= name.count { starts.append(bytes.count) }
        bytes += name
    }
}
