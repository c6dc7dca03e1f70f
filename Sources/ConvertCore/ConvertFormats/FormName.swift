import ConvertEngine
import ConvertText

/// A field's name as a path through objects and lists.
///
///     name = root *( "[" member "]" / "[]" )      ; root: at least one byte, without "["; member: without "[" and "]"
///
/// A name that does not match this grammar, such as `a[b` or `[a]`, is a plain name that contains brackets.
struct FormName {
    enum Step {
        /// The member whose key is this range of the field's name.
        case member(Range<Int>)
        /// `[]`: an element of a list.
        case element
    }

    private(set) var steps: [Step] = []

    /// Reads another name; the array of steps keeps its capacity.
    mutating func read(_ name: Span<UInt8>) {
        steps.removeAll(keepingCapacity: true)
        let bracket = name.firstIndex(of: ASCII.openBracket, from: 0, to: name.count)
        if 0 < bracket, bracket < name.count {
            steps.append(.member(0..<bracket))
            if readBrackets(name, from: bracket) { return }
            steps.removeAll(keepingCapacity: true)
        }
        steps.append(.member(0..<name.count))
    }

    private mutating func readBrackets(_ name: Span<UInt8>, from bracket: Int) -> Bool {
        var index = bracket
        while index < name.count {
            guard name[index] == ASCII.openBracket else { return false }
            let start = index + 1
            let close = name.firstIndex(of: ASCII.openBracket, or: ASCII.closeBracket, from: start, to: name.count)
            guard close < name.count, name[close] == ASCII.closeBracket else { return false }
            steps.append(start == close ? .element : .member(start..<close))
            index = close + 1
        }
        return true
    }
}
