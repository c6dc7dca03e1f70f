import HTTPSemantics
import Text

/// The suffix that a route's responses append to the upstream's entity tags, because a tag names one sequence of bytes.
///
///     suffix = "~" ( "c" / "s" ) 16HEXDIG [ "." 8HEXDIG ] [ "-zstd" / "-br" / "-gzip" / "-deflate" ]
enum TagSuffix {
    private static let mark = "~"
    private static let digits = 16
    private static let fieldsDigits = 8

    /// The written tag with a suffix before its closing quote. A weak tag stays weak, a strong one strong.
    ///
    /// - Parameters:
    ///   - isConverted: whether the body was converted, `~c`, or skipped, `~s`.
    ///   - fingerprint: the fingerprint of the route's plan for responses.
    ///   - fields: the digits of the selection of fields; nil if all fields were sent.
    ///   - coding: the coding that the gateway applied; `identity` if the coding is the upstream's.
    static func appended(
        to written: ArraySlice<UInt8>, isConverted: Bool, _ fingerprint: PlanFingerprint, fields: String?,
        coding: ContentCoding
    ) -> [UInt8] {
        var tag = Array(written.dropLast())
        tag += mark.utf8
        tag.append(UInt8(ascii: isConverted ? "c" : "s"))
        tag += fingerprint.digits.utf8
        if let fields { tag += ".\(fields)".utf8 }
        if let name = coding.fieldValue { tag += "-\(name)".utf8 }
        tag.append(ASCII.quote)
        return tag
    }

    /// Removes the suffix from a client's tag. Nil if the tag has none.
    static func split(_ tag: EntityTag) -> (upstream: EntityTag, fingerprint: String, fields: String?)? {
        var text = tag.opaque[...]
        // All codings are tried, because a replica that was built with more of them may have made the tag.
        for ending in codingEndings where text.suffix(ending.count).elementsEqual(ending) {
            text = text.dropLast(ending.count)
            break
        }
        var fields: String?
        let end = text.suffix(fieldsDigits)
        if text.dropLast(fieldsDigits).last == ASCII.dot, end.allSatisfy(isDigit) {
            fields = String(decoding: end, as: UTF8.self)
            text = text.dropLast(fieldsDigits + 1)
        }
        let fingerprint = text.suffix(digits)
        guard fingerprint.count == digits, fingerprint.allSatisfy(isDigit) else { return nil }
        let rest = text.dropLast(digits)
        guard marks.contains(where: rest.suffix(markBytes).elementsEqual) else { return nil }
        let upstream = EntityTag(isWeak: tag.isWeak, opaque: rest.dropLast(markBytes))
        return (upstream, String(decoding: fingerprint, as: UTF8.self), fields)
    }

    private static let codingEndings = ContentCoding.allCases.compactMap(\.fieldValue).map { Array("-\($0)".utf8) }
    private static let marks = ["\(mark)c", "\(mark)s"].map { Array($0.utf8) }
    private static let markBytes = 2

    private static func isDigit(_ byte: UInt8) -> Bool {
        ASCII.isDigit(byte) || (ASCII.hexValue(byte) != nil && byte == ASCII.lowercased(byte))
    }
}
