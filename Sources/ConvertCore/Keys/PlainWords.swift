/// The names that most payloads have: small ASCII letters, digits and underscores.
///
/// In these only underscores part words, so that no scalar has to be classed; `NameWords` finds the same words.
enum PlainWords {
    /// The name in the target case, or nil if it holds any other byte.
    static func converted(_ name: [UInt8], to target: KeyCase) -> [UInt8]? {
        var holdsLetter = false
        for byte in name {
            switch byte {
            case ASCII.a...ASCII.z: holdsLetter = true
            case ASCII.zero...ASCII.nine, ASCII.underscore: break
            default: return nil
            }
        }
        guard holdsLetter, let start = name.firstIndex(where: { $0 != ASCII.underscore }),
            let last = name.lastIndex(where: { $0 != ASCII.underscore })
        else { return name }
        var output: [UInt8] = []
        output.reserveCapacity(name.count + 8)
        output += name[..<start]
        var letterCase = target.letterCase(isFirstWord: true)
        var opensWord = true
        for byte in name[start...last] {
            if byte == ASCII.underscore {
                if !opensWord, let joint = target.joint { output.append(joint) }
                opensWord = true
                letterCase = target.letterCase(isFirstWord: false)
            } else {
                let isUpper = letterCase == .upper || (letterCase == .title && opensWord)
                output.append(isUpper && ASCII.isLetter(byte) ? byte ^ ASCII.caseBit : byte)
                opensWord = false
            }
        }
        return output + name[(last + 1)...]
    }
}
