import ConvertText

/// The form in which a string names keys of the payload: `name`, `path`, `names` or `pointer`.
package struct NameForm: Sendable, Hashable {
    package enum Syntax: String, Sendable, Hashable {
        /// One key.
        case name
        /// Keys and indices with a separator between them: `a.b[0].c`.
        case path
        /// Paths with commas between them. Each may have a sign before it, or `:asc` or `:desc` after it.
        case names
        /// RFC 6901, from the document.
        case pointer
        /// Keys and indices in the syntax of query parameter names: `a.b[0].c` or `a[b][0][c]`.
        case parameter
        /// The same in a list as in `names`.
        case parameters
    }

    package let syntax: Syntax
    /// The text between the keys of a path: UTF-8, not empty.
    package var separator = [ASCII.dot]
    /// The path at which keys and paths begin: keys, and `*` for elements.
    package var base: [Selector.Segment] = []

    package init(syntax: Syntax, separator: [UInt8] = [ASCII.dot], base: [Selector.Segment] = []) {
        self.syntax = syntax
        self.separator = separator
        self.base = base
    }
}

/// A piece of a text that names keys.
enum NamePart: Equatable {
    /// A key, unescaped.
    case key([UInt8])
    /// An index of an array.
    case index([UInt8])
    /// The text between keys and indices.
    case text([UInt8])
    /// The next key or index does not belong to the parts before it.
    case restart
}

extension NameForm {
    /// The parts of a text in their order; nil if the form is a pointer and the text is not.
    func parts(of text: [UInt8]) -> [NamePart]? {
        switch syntax {
        case .name: return [.key(text)]
        case .path: return Self.path(text[...], separator)
        case .pointer: return Self.pointer(text)
        case .parameter: return Self.parameter(text[...], separator)
        case .names: return Self.list(text, separator, of: Self.path)
        case .parameters: return Self.list(text, separator, of: Self.parameter)
        }
    }

    /// The text of a key in this form, with the escapes of a pointer.
    func spelling(of name: [UInt8]) -> [UInt8] {
        syntax == .pointer ? PayloadPointer.escaped(name) : name
    }

    /// A pointer, also as a fragment of a URI (RFC 6901 §6), whose escapes stay.
    private static func pointer(_ text: [UInt8]) -> [NamePart]? {
        let isFragment = text.first == ASCII.numberSign
        // As a constant array, the mark crashes the compiler for WebAssembly (Swift 6.3.1).
        var parts: [NamePart] = []
        if isFragment { parts.append(.text([ASCII.numberSign])) }
        let pointer = text.dropFirst(isFragment ? 1 : 0)
        guard !pointer.isEmpty else { return parts }
        guard pointer.first == ASCII.slash else { return nil }
        for segment in pointer.dropFirst().split(separator: ASCII.slash, omittingEmptySubsequences: false) {
            guard let name = PayloadPointer.unescaped(segment) else { return nil }
            parts += [.text([ASCII.slash]), Selector.isIndex(name) ? .index(name) : .key(name)]
        }
        return parts
    }

    private static func path(_ text: ArraySlice<UInt8>, _ separator: [UInt8]) -> [NamePart] {
        guard !text.isEmpty else { return [] }
        var parts: [NamePart] = []
        var start = text.startIndex
        var index = start
        while index <= text.endIndex {
            let isEnd = index == text.endIndex
            guard isEnd || text[index...].starts(with: separator) else {
                index += 1
                continue
            }
            parts += step(text[start..<index])
            guard !isEnd else { break }
            parts.append(.text(separator))
            index += separator.count
            start = index
        }
        return parts
    }

    /// A key or an index, perhaps followed by indices in brackets.
    private static func step(_ text: ArraySlice<UInt8>) -> [NamePart] {
        var end = text.endIndex
        // The last part first.
        var brackets: [NamePart] = []
        while end > text.startIndex, text[end - 1] == ASCII.closeBracket,
            let open = text[..<end].lastIndex(of: ASCII.openBracket)
        {
            let index = Array(text[(open + 1)..<(end - 1)])
            guard Selector.isIndex(index) else { break }
            brackets += [.text([ASCII.closeBracket]), .index(index), .text([ASCII.openBracket])]
            end = open
        }
        let name = Array(text[..<end])
        if !name.isEmpty || brackets.isEmpty { brackets.append(Selector.isIndex(name) ? .index(name) : .key(name)) }
        return brackets.reversed()
    }
}
