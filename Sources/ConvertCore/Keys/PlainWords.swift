/// The names that most payloads have: small ASCII letters, digits and underscores.
///
/// In these only underscores part words, so that no scalar has to be classed; `NameWords` finds the same words.
enum PlainWords {
    /// The name in the target case, or nil if it holds any other byte.
    static func converted(_ name: [UInt8], to target: KeyCase) -> [UInt8]? {
        guard let words = words(of: name.span) else { return nil }
        // Without a letter it stays.
        guard !words.isEmpty else { return name }
        // A joint stands for one underscore or more.
        return [UInt8](capacity: name.count) { output in write(name.span, words, in: target, to: &output) }
    }

    /// What is between the underscores around it; empty if it holds no letter, and nil if it holds any other byte.
    private static func words(of name: Span<UInt8>) -> Range<Int>? {
        var start = 0
        while start < name.count, name[start] == ASCII.underscore { start &+= 1 }
        var end = name.count
        while end > start, name[end &- 1] == ASCII.underscore { end &-= 1 }
        var holdsLetter = false
        for index in start..<end {
            let byte = name[index]
            if ASCII.a <= byte && byte <= ASCII.z {
                holdsLetter = true
            } else if !ASCII.isDigit(byte), byte != ASCII.underscore {
                return nil
            }
        }
        return holdsLetter ? start..<end : 0..<0
    }

    private static func write(
        _ name: Span<UInt8>, _ words: Range<Int>, in target: KeyCase, to output: inout OutputSpan<UInt8>
    ) {
        let joint = target.joint
        let laterCase = target.letterCase(isFirstWord: false)
        var letterCase = target.letterCase(isFirstWord: true)
        for index in 0..<words.lowerBound { output.append(name[index]) }
        var index = words.lowerBound
        while index < words.upperBound {
            let first = name[index]
            output.append(letterCase != .lower && ASCII.isLetter(first) ? first ^ ASCII.caseBit : first)
            index &+= 1
            while index < words.upperBound, name[index] != ASCII.underscore {
                let byte = name[index]
                output.append(letterCase == .upper && ASCII.isLetter(byte) ? byte ^ ASCII.caseBit : byte)
                index &+= 1
            }
            guard index < words.upperBound else { break }
            while name[index] == ASCII.underscore { index &+= 1 }
            if let joint { output.append(joint) }
            letterCase = laterCase
        }
        for index in words.upperBound..<name.count { output.append(name[index]) }
    }
}
