// The possible readings of a path by backends. Routes are found by the path as received. A backend may decode `%2F`,
// merge slashes, cut off parameters, or do any of that twice. The gateway cannot know this, so it tries all of it, in
// every order that matters:
//
//     as received → decoded → decoded twice       and at each step with parameters and without
//
// The last segment may also be read without suffixes such as `.json` or `.json.gz`; that is for the comparison of
// routes. A path that begins with two slashes may be read as a URI without a scheme, whose first segment is a host:
// `//x/a` is then `/a`. A PHP program gets the path behind its name: `/index.php/a` is then `/a`. ASP.NET takes its
// session out of a path: `/(S(x))/a` is then `/a`.
//
// Each result is then read as the most lenient file system would. A backslash is a slash, and empty segments do not count.
// A segment ends before its final dots, spaces and control characters.

import Text

extension RequestPath {
    /// All readings of the path by lenient backends. Throws if only a lenient backend sees dot segments in it, or if
    /// escapes remain after two decodings.
    package func readings() throws(PathError) -> Set<[UInt8]> {
        var readings: Set<[UInt8]> = []
        var states: Set<[UInt8]> = [bytes]
        for step in 0...Self.maxDecodings {
            states.formUnion(states.map(Self.withoutParameters))
            for state in states {
                readings.insert(try Self.merged(state[...]))
                if let path = Self.withoutHost(state) { readings.insert(try Self.merged(path)) }
                for path in Self.withoutProgram(state) { readings.insert(try Self.merged(path)) }
                if let path = Self.withoutSession(state) { readings.insert(try Self.merged(path)) }
            }
            let decoded = Set(states.map { Self.decoded($0) })
            if decoded == states { break }
            guard step < Self.maxDecodings else { throw .ambiguous }
            states = decoded
        }
        return readings
    }

    /// The path decoded twice, without parameters.
    package var mostLenientReading: [UInt8] {
        get throws(PathError) { try Self.merged(Self.withoutParameters(Self.decoded(Self.decoded(bytes)))[...]) }
    }

    /// Whether backends may read the path in more than one way.
    package var isAmbiguous: Bool {
        var last = ASCII.null
        var hasDot = false
        for byte in bytes {
            if byte == ASCII.percent || byte == ASCII.semicolon { return true }
            if byte == ASCII.slash, last == ASCII.slash || hasDot { return true }
            hasDot = byte == ASCII.dot || hasDot && byte != ASCII.slash
            last = byte
        }
        return last == ASCII.dot || Self.formatSuffix(of: bytes[...]) != nil
    }

    /// The index of a dot inside the last segment, but not at its beginning; nil if there is none.
    package static func formatSuffix(of path: ArraySlice<UInt8>) -> Int? {
        let end = path.last == ASCII.slash ? path.endIndex - 1 : path.endIndex
        guard let index = path[..<end].lastIndex(where: { $0 == ASCII.dot || $0 == ASCII.slash }),
            index > path.startIndex
        else { return nil }
        return path[index] == ASCII.dot && path[index - 1] != ASCII.slash ? index : nil
    }

    private static let maxDecodings = 2

    /// Removes the rest of each segment after a semicolon. The same applies to characters that some backends, after
    /// decoding, read as the end of a path.
    private static func withoutParameters(_ path: [UInt8]) -> [UInt8] {
        var isParameter = false
        return path.filter { byte in
            switch byte {
            case ASCII.slash, ASCII.backslash: isParameter = false
            case ASCII.semicolon, ASCII.questionMark, ASCII.numberSign, ASCII.null: isParameter = true
            default: break
            }
            return !isParameter
        }
    }

    /// The part after the host of a URI without a scheme; nil if the path does not begin like one.
    private static func withoutHost(_ path: [UInt8]) -> ArraySlice<UInt8>? {
        let rest = path.drop(while: isSeparator)
        guard rest.startIndex > 1 else { return nil }
        return rest.drop { !isSeparator($0) }
    }

    /// The parts after the first and the last segment that end in `.php`, `.php` and a digit, `.phtml` or `.phar`.
    private static func withoutProgram(_ path: [UInt8]) -> [ArraySlice<UInt8>] {
        let programs = path.split(whereSeparator: isSeparator).filter { segment in
            let name = segment.last.map(ASCII.isDigit) == true ? segment.dropLast() : segment
            return [".php", ".phtml", ".phar"].contains { suffix in
                name.suffix(suffix.utf8.count).elementsEqual(suffix.utf8, by: { ASCII.lowercased($0) == $1 })
            }
        }
        return [programs.first, programs.dropFirst().last].compactMap(\.self).map { path[$0.endIndex...] }
    }

    /// The path without segments such as `(S(x))` and `(A(x)F(y))`; nil if there are none.
    private static func withoutSession(_ path: [UInt8]) -> ArraySlice<UInt8>? {
        let segments = path.split(whereSeparator: isSeparator)
        let rest = segments.filter { !($0.first == ASCII.openParenthesis && $0.suffix(2).elementsEqual("))".utf8)) }
        return rest.count < segments.count ? ([ASCII.slash] + rest.joined(separator: [ASCII.slash]))[...] : nil
    }

    private static func isSeparator(_ byte: UInt8) -> Bool { byte == ASCII.slash || byte == ASCII.backslash }

    private static func merged(_ path: ArraySlice<UInt8>) throws(PathError) -> [UInt8] {
        var merged: [UInt8] = []
        merged.reserveCapacity(path.count)
        for segment in path.split(whereSeparator: isSeparator) {
            let name = segment.droppingLast { $0 <= ASCII.space || $0 == ASCII.delete }
            if name.elementsEqual(".".utf8) || name.elementsEqual("..".utf8) { throw .dotSegment }
            let rest = name.droppingLast { $0 <= ASCII.space || $0 == ASCII.delete || $0 == ASCII.dot }
            if rest.isEmpty { continue }
            merged.append(ASCII.slash)
            merged += rest
        }
        return merged
    }
}

extension ArraySlice<UInt8> {
    fileprivate func droppingLast(while isDropped: (UInt8) -> Bool) -> ArraySlice<UInt8> {
        var rest = self
        while let last = rest.last, isDropped(last) { rest.removeLast() }
        return rest
    }
}
