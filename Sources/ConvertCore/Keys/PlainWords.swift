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
        var holdsLetter = false
        var start = name.count
        var end = 0
        for index in 0..<name.count {
            let byte = name[index]
            if byte == ASCII.underscore { continue }
            if ASCII.a <= byte && byte <= ASCII.z {
                holdsLetter = true
            } else if !ASCII.isDigit(byte) {
                return nil
            }
            start = min(start, index)
            end = index &+ 1
        }
        return holdsLetter ? start..<end : 0..<0
    }

    private static func write(
        _ name: Span<UInt8>, _ words: Range<Int>, in target: KeyCase, to output: inout OutputSpan<UInt8>
    ) {
        let joint = target.joint
        let laterCase = target.letterCase(isFirstWord: false)
        var letterCase = target.letterCase(isFirstWord: true)
        var opensWord = true
        for index in 0..<words.lowerBound { output.append(name[index]) }
        for index in words {
            let byte = name[index]
            if byte == ASCII.underscore {
                if !opensWord, let joint { output.append(joint) }
                opensWord = true
                letterCase = laterCase
            } else {
                let isUpper = letterCase == .upper || (letterCase == .title && opensWord)
                output.append(isUpper && ASCII.isLetter(byte) ? byte ^ ASCII.caseBit : byte)
                opensWord = false
            }
        }
        for index in words.upperBound..<name.count { output.append(name[index]) }
    }
}
