import TestSupport
import Testing

@testable import ConvertEngine

/// The sorter gives the same order as the standard library.
struct NameSorterTests {
    /// Names that differ early, late, only in length or beyond ASCII, some of them spelled with escapes.
    private static func name(_ random: inout SeededGenerator, isLong: Bool) -> String {
        let number = String(random.next() % 3_000)
        var beginnings = ["", "a_long_beginning_", "é", "quote\"", "back\\", "tab\t", "a\u{0}"]
        if isLong { beginnings.append(String(repeating: "long", count: 100)) }
        return beginnings.randomElement(using: &random)! + (random.next() % 9 == 0 ? "" : number)
    }

    @Test(arguments: [false, true])
    func `any number of names is sorted, and equal ones keep their order`(isLong: Bool) {
        var random = SeededGenerator(seed: 7)
        for count in [0, 1, 2, 7, 8, 9, 100, 2_047, 2_048, 2_049, 9_000] {
            var sorter = NameSorter()
            let names = (0..<count).map { _ in Self.name(&random, isLong: isLong) }
            var text = ByteBuffer()
            for (item, name) in names.enumerated() {
                let start = text.count
                JSONText.appendSpelling(of: Array(name.utf8).span, to: &text)
                let length = text.count - start
                sorter.add(item, named: start, count: length, hasEscape: length != name.utf8.count, in: text)
            }
            sorter.sort(text)
            let expected = names.indices.sorted { one, other in
                let (left, right) = (names[one].utf8, names[other].utf8)
                return left.lexicographicallyPrecedes(right)
                    || (one < other && !right.lexicographicallyPrecedes(left))
            }
            #expect((0..<sorter.count).map { sorter[$0] } == expected)
        }
    }
}
