import ConvertText

/// RFC 6901 JSON Pointers into payloads.
package enum PayloadPointer {
    /// One reference token with its slash, for a member's unescaped key or an element's index.
    package static func step(_ name: [UInt8]) -> String {
        var step = ByteBuffer()
        appendStep(name.span, to: &step)
        return step.string(from: 0, to: step.count)
    }

    /// Appends one reference token with its slash.
    package static func appendStep(_ name: Span<UInt8>, to pointer: inout ByteBuffer) {
        pointer.append(ASCII.slash)
        var index = 0
        while true {
            let end = name.firstIndex(of: ASCII.tilde, or: ASCII.slash, from: index, to: name.count)
            pointer.append(name.extracting(index..<end))
            guard end < name.count else { return }
            pointer.append(ASCII.tilde)
            pointer.append(name[end] == ASCII.tilde ? ASCII.zero : ASCII.one)
            index = end + 1
        }
    }

    /// A key as a reference token, without a slash before it.
    package static func escaped(_ name: [UInt8]) -> [UInt8] {
        guard name.contains(where: { $0 == ASCII.tilde || $0 == ASCII.slash }) else { return name }
        return name.flatMap { escaped(byte: $0) }
    }

    /// A byte of a key as a reference token has it.
    package static func escaped(byte: UInt8) -> [UInt8] {
        switch byte {
        case ASCII.tilde: [ASCII.tilde, ASCII.zero]
        case ASCII.slash: [ASCII.tilde, ASCII.one]
        default: [byte]
        }
    }

    /// The key of a reference token; nil if it has a `~` that is not part of `~0` or `~1`.
    package static func unescaped(_ token: ArraySlice<UInt8>) -> [UInt8]? {
        var name: [UInt8] = []
        name.reserveCapacity(token.count)
        var index = token.startIndex
        while index < token.endIndex {
            var byte = token[index]
            if byte == ASCII.tilde {
                index += 1
                guard index < token.endIndex, let escaped = unescaped(digit: token[index]) else { return nil }
                byte = escaped
            }
            name.append(byte)
            index += 1
        }
        return name
    }

    /// The byte that a `~` and this digit are the escape sequence of; nil if they are none.
    static func unescaped(digit: UInt8) -> UInt8? {
        switch digit {
        case ASCII.zero: ASCII.tilde
        case ASCII.one: ASCII.slash
        default: nil
        }
    }
}
