import ConvertEngine

/// The elements of a property list, and `other` for every other element.
enum XMLElement: String, CaseIterable {
    case plist, dict, key, array, string, integer, real, date, data
    case `true`, `false`
    case other

    /// The element with the name in this range of a payload.
    init(_ bytes: Span<UInt8>, from start: Int, to end: Int) {
        let candidates: [XMLElement]
        switch end - start {
        case 3: candidates = Self.threeLetters
        case 4: candidates = Self.fourLetters
        case 5: candidates = Self.fiveLetters
        case 6: candidates = Self.sixLetters
        case 7: candidates = Self.sevenLetters
        default: candidates = []
        }
        self = candidates.first { $0.isSpelled(bytes, from: start) } ?? .other
    }

    private static let threeLetters = [XMLElement.key]
    private static let fourLetters = [XMLElement.dict, .true, .real, .date, .data]
    private static let fiveLetters = [XMLElement.array, .false, .plist]
    private static let sixLetters = [XMLElement.string]
    private static let sevenLetters = [XMLElement.integer]

    private func isSpelled(_ bytes: Span<UInt8>, from start: Int) -> Bool {
        var index = start
        for letter in rawValue.utf8 {
            guard bytes[index] == letter else { return false }
            index += 1
        }
        return true
    }
}
