package import ConvertEngine
import Text

/// Compares two JSON texts as converters write them: valid and without white space.
///
/// The texts are compared level by level. Only members and elements whose bytes differ are read further.
struct OutputComparison {
    /// A part of both texts.
    private struct Pair {
        let old: Range<Int>
        let new: Range<Int>
        /// The path with `*` for indices and for keys that are not shown.
        let path: String
        let oldPointer: String
        let newPointer: String

        /// The pair of a member or an element. Without ranges, only one side has it.
        func child(
            _ path: String, _ pointer: String, _ old: Range<Int> = 0..<0, _ new: Range<Int> = 0..<0
        ) -> Pair {
            Pair(
                old: old, new: new, path: self.path + path, oldPointer: oldPointer + pointer,
                newPointer: newPointer + pointer)
        }
    }

    /// A difference, with RFC 6901 pointers into the two outputs; nil if the value is not there.
    struct Found {
        let difference: Difference
        let oldPointer: String?
        let newPointer: String?
    }

    private let old: [UInt8]
    private let new: [UInt8]
    private let keys: ShownKeys
    private let note: (Found) -> Void
    /// Objects and arrays that are not compared yet, the next one last.
    private var waiting: [Pair]

    /// Passes each difference to `note`, level by level. Returns false if `isOver` was true before the end.
    static func compare(
        _ old: [UInt8], _ new: [UInt8], _ keys: ShownKeys, _ isOver: () -> Bool, _ note: @escaping (Found) -> Void
    ) -> Bool {
        guard old != new else { return true }
        let whole = Pair(old: 0..<old.count, new: 0..<new.count, path: "", oldPointer: "", newPointer: "")
        var comparison = OutputComparison(old: old, new: new, keys: keys, note: note, waiting: [whole])
        while let pair = comparison.waiting.popLast() {
            if isOver() { return false }
            comparison.compare(pair)
        }
        return true
    }

    private mutating func compare(_ pair: Pair) {
        let kind = Self.kind(old[pair.old.lowerBound])
        guard kind == Self.kind(new[pair.new.lowerBound]) else { return note(.type, pair) }
        switch kind {
        case ASCII.openBrace: compareMembers(pair)
        case ASCII.openBracket: compareElements(pair)
        case ASCII.quote:
            let isSame = JSONText.content(ofString: old[pair.old]) == JSONText.content(ofString: new[pair.new])
            note(isSame ? .escapes : .value, pair)
        default: note(.value, pair)
        }
    }

    private func note(_ kind: Difference.Kind, _ pair: Pair) {
        note(
            Found(
                difference: Difference(kind: kind, path: pair.path),
                oldPointer: kind == .onlyInNew ? nil : pair.oldPointer,
                newPointer: kind == .onlyInOld ? nil : pair.newPointer))
    }

    /// Compares a pair inside of another one: at once, or later if both are objects or arrays.
    private mutating func compare(_ child: Pair, later: inout [Pair]) {
        guard old[child.old] != new[child.new] else { return }
        let kind = Self.kind(old[child.old.lowerBound])
        let isContainer = kind == ASCII.openBrace || kind == ASCII.openBracket
        if isContainer, kind == new[child.new.lowerBound] { later.append(child) } else { compare(child) }
    }

    // MARK: Objects and arrays

    private mutating func compareMembers(_ pair: Pair) {
        let oldMembers = ValidMember.all(in: old, from: pair.old.lowerBound)
        let newMembers = ValidMember.all(in: new, from: pair.new.lowerBound)
        let oldNames = oldMembers.compactMap { JSONText.content(ofString: old[$0.name]) }
        let newNames = newMembers.compactMap { JSONText.content(ofString: new[$0.name]) }
        // The same key may occur several times. The first one belongs to the first one, and so on.
        var indices = Dictionary(grouping: newNames.indices.reversed()) { newNames[$0] }
        var isTaken = [Bool](repeating: false, count: newNames.count)
        var latest = -1
        var isReordered = false
        var later: [Pair] = []
        for (index, name) in oldNames.enumerated() {
            let (path, pointer) = (keys.step(name), PayloadPointer.step(name))
            guard let newIndex = indices[name]?.popLast() else {
                note(.onlyInOld, pair.child(path, pointer))
                continue
            }
            isTaken[newIndex] = true
            if newIndex < latest { isReordered = true }
            latest = max(latest, newIndex)
            let child = pair.child(path, pointer, oldMembers[index].value, newMembers[newIndex].value)
            if old[oldMembers[index].name] != new[newMembers[newIndex].name] { note(.escapes, child) }
            compare(child, later: &later)
        }
        for (index, name) in newNames.enumerated() where !isTaken[index] {
            note(.onlyInNew, pair.child(keys.step(name), PayloadPointer.step(name)))
        }
        if isReordered { note(.order, pair) }
        waiting += later.reversed()
    }

    /// Elements have no names. If there are more on one side, equal ones at the beginning and at the end belong together.
    private mutating func compareElements(_ pair: Pair) {
        let oldElements = ValidMember.all(in: old, from: pair.old.lowerBound)
        let newElements = ValidMember.all(in: new, from: pair.new.lowerBound)
        let shorter = min(oldElements.count, newElements.count)
        var (begin, end) = (0, 0)
        if oldElements.count != newElements.count {
            while begin < shorter, old[oldElements[begin].value] == new[newElements[begin].value] { begin += 1 }
            while end < shorter - begin,
                old[oldElements[oldElements.count - 1 - end].value]
                    == new[newElements[newElements.count - 1 - end].value]
            { end += 1 }
        }
        var later: [Pair] = []
        for index in begin..<(shorter - end) {
            let child = pair.child("/*", "/\(index)", oldElements[index].value, newElements[index].value)
            compare(child, later: &later)
        }
        for index in (shorter - end)..<max(oldElements.count - end, shorter - end) {
            note(.onlyInOld, pair.child("/*", "/\(index)"))
        }
        for index in (shorter - end)..<max(newElements.count - end, shorter - end) {
            note(.onlyInNew, pair.child("/*", "/\(index)"))
        }
        waiting += later.reversed()
    }

    // MARK: Reading

    /// The first byte that all values of a JSON type have.
    private static func kind(_ first: UInt8) -> UInt8 {
        if first == ASCII.hyphen || ASCII.isDigit(first) { return ASCII.zero }
        return first == UInt8(ascii: "f") ? UInt8(ascii: "t") : first
    }
}

/// Where and how the outputs of two profiles differ.
package struct Difference: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        case onlyInOld = "only-in-old"
        case onlyInNew = "only-in-new"
        /// Two values of the same JSON type.
        case value
        /// Values of different JSON types.
        case type
        /// The same keys of an object in another order.
        case order
        /// The same key or string with other escapes.
        case escapes
        /// The same text with other indents.
        case indent
        /// One profile cannot convert the payload, or both for different reasons.
        case error
    }

    package let kind: Kind
    /// A pointer into the outputs, for an error into the payload, with `*` for indices and for keys that are not shown.
    package let path: String
    package var oldError: ConversionError.Code?
    package var newError: ConversionError.Code?
}
