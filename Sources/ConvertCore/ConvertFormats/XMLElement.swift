import ConvertEngine

/// The elements of a property list, and `other` for every other element.
enum XMLElement: String, CaseIterable {
    case plist, dict, key, array, string, integer, real, date, data
    case `true`, `false`
    case other

    /// The element with the name in this range of a payload.
    init(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
        let candidates = end - start < Self.byLength.count ? Self.byLength[end - start] : []
        self = candidates.first { bytes.begins(with: $0.rawValue, at: start) } ?? .other
    }

    /// The elements whose names have each length, from none to seven bytes.
    private static let byLength = (0...7).map { length in allCases.filter { $0.rawValue.utf8.count == length } }
}
