import Text

extension RequestHead {
    /// Splits the target at `range` by its form (RFC 9112 §3.2).
    ///
    /// Stricter than the grammar: only OPTIONS may have the asterisk form, and only CONNECT the authority form. An absolute
    /// target must be of http or https, without user information (RFC 9110 §4.2.4).
    mutating func setTarget(_ range: Range<Int>) throws(WireError) {
        targetRange = range
        authorityRange = range.lowerBound..<range.lowerBound
        pathRange = authorityRange
        queryRange = nil
        let storage = fields.storage
        if method == .connect {
            form = .authority
            guard Authority.isValid(storage[range], requiringPort: true) else { throw badTarget }
            authorityRange = range
        } else if storage[range.lowerBound] == ASCII.slash {
            form = .origin
            splitPath(range)
        } else if range.count == 1, storage[range.lowerBound] == ASCII.asterisk {
            form = .asterisk
            guard method == .options else { throw badTarget }
        } else {
            form = .absolute
            try setAbsoluteTarget(range)
        }
    }

    // absolute-URI = scheme "://" authority path-abempty [ "?" query ]
    private mutating func setAbsoluteTarget(_ range: Range<Int>) throws(WireError) {
        let target = fields.storage[range]
        guard let rest = target.dropping("http://") ?? target.dropping("https://") else { throw badTarget }
        let authority = rest.prefix { $0 != ASCII.slash && $0 != ASCII.questionMark }
        guard Authority.isValid(authority, requiringPort: false) else { throw badTarget }
        authorityRange = authority.indices
        splitPath(authority.endIndex..<range.upperBound)
        if pathRange.isEmpty, queryRange == nil, method == .options {
            // The form that a proxy writes for `OPTIONS *` (RFC 9112 §3.2.4).
            form = .asterisk
        } else if pathRange.isEmpty {
            // An absolute target without a path asks for `/`: the last slash of `://` is one.
            pathRange = authority.startIndex - 1..<authority.startIndex
        }
    }

    private mutating func splitPath(_ range: Range<Int>) {
        let mark = fields.storage[range].firstIndex(of: ASCII.questionMark)
        pathRange = range.lowerBound..<(mark ?? range.upperBound)
        queryRange = mark.map { $0 + 1..<range.upperBound }
    }

    private var badTarget: WireError { WireError(.badTarget, at: targetRange.lowerBound) }
}
