/// A field's name as a way through objects and lists.
///
///     name = root *( "[" member "]" / "[]" )      ; root: at least one byte, without "["; member: without "[" and "]"
///
/// A name of any other shape, such as `a[b` or `[a]`, is a plain name with brackets in it.
struct FormName {
    enum Step: Hashable {
        /// The member of this name.
        case member([UInt8])
        /// `[]`: an element of a list.
        case element
    }

    let steps: [Step]

    init(_ name: [UInt8]) {
        guard let bracket = name.firstIndex(of: ASCII.openBracket), bracket > 0,
            let inner = Self.steps(in: name[bracket...])
        else {
            steps = [.member(name)]
            return
        }
        steps = [.member(Array(name[..<bracket]))] + inner
    }

    private static func steps(in brackets: ArraySlice<UInt8>) -> [Step]? {
        var steps: [Step] = []
        var index = brackets.startIndex
        while index < brackets.endIndex {
            guard brackets[index] == ASCII.openBracket else { return nil }
            let inside = brackets[(index + 1)...]
            guard let close = inside.firstIndex(where: { $0 == ASCII.openBracket || $0 == ASCII.closeBracket }),
                inside[close] == ASCII.closeBracket
            else { return nil }
            let name = inside[..<close]
            steps.append(name.isEmpty ? .element : .member(Array(name)))
            index = close + 1
        }
        return steps
    }
}
