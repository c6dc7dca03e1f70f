extension NameForm {
    /// The form of keys in a text outside of payloads, such as a query parameter.
    package enum OutsideSyntax: String, Sendable, Hashable, CaseIterable {
        /// One key.
        case name
        /// Paths with commas between them, each with a sign, `:asc` or `:desc`, or none of these.
        case names
        /// Keys and indices: `a.b[0].c` or `a[b][0][c]`.
        case path
        /// A JSON Pointer (RFC 6901) that begins at the document.
        case pointer
    }

    /// - Parameters:
    ///   - separator: the bytes between the keys of a path, beside brackets; UTF-8, not empty.
    ///   - base: the object at which keys and paths begin, a pointer without `**`; nil for the document.
    package init(outside syntax: OutsideSyntax, separator: [UInt8], of base: Selector? = nil) {
        let known: Syntax =
            switch syntax {
            case .name: .name
            case .names: .parameters
            case .path: .parameter
            case .pointer: .pointer
            }
        // A pointer begins at the document.
        let segments = syntax == .pointer ? [] : base?.pointerSegments ?? []
        self.init(syntax: known, separator: separator, base: segments)
    }
}

/// The profile's decisions on a text that contains keys.
package struct NamedText: Sendable, Equatable {
    /// A piece of the text.
    package struct Piece: Sendable, Equatable {
        /// The number of bytes that the piece has in the text.
        package let count: Int
        /// The bytes that replace it; nil if it stays unchanged.
        package let replacement: [UInt8]?
        package let isKey: Bool
    }

    /// All pieces of the text, in order.
    package fileprivate(set) var pieces: [Piece] = []
    /// Whether the profile drops, masks or hashes the value of a key in the text, or may do so.
    package fileprivate(set) var isWithheld = false
    /// Whether a key in the text cannot be restored, and the profile refuses such keys.
    package fileprivate(set) var isRefused = false

    /// The text with the replacements.
    package func applied(to text: [UInt8]) -> [UInt8] {
        var written: [UInt8] = []
        var start = 0
        for piece in pieces {
            written += piece.replacement ?? Array(text[start..<(start + piece.count)])
            start += piece.count
        }
        return written
    }

    package var keyCount: Int { pieces.count(where: { $0.isKey }) }
}

extension NameTranslator {
    /// The profile's decisions on a text outside of payloads; nil if the text does not have the form. Only the first `maxKeys` keys are
    /// looked up.
    package mutating func follow(_ text: [UInt8], _ form: NameForm) -> NamedText? {
        guard let parts = form.parts(of: text) else { return nil }
        var named = NamedText()
        // The value at the end of a path may be one that stays only if it is an object or array.
        var mayBeDiscarded = false
        let plan = keys.plan
        follow(parts, form) { part, finding in
            switch part {
            case .text(let bytes): named.pieces.append(.init(count: bytes.count, replacement: nil, isKey: false))
            case .index(let bytes):
                named.pieces.append(.init(count: bytes.count, replacement: nil, isKey: false))
                mayBeDiscarded = false
            case .restart:
                named.isWithheld = named.isWithheld || mayBeDiscarded
                mayBeDiscarded = false
            case .key(let name):
                named.pieces.append(
                    .init(
                        count: form.spelling(of: name).count, replacement: finding.output.map(form.spelling(of:)),
                        isKey: true))
                mayBeDiscarded = false
                switch finding {
                case .unknown: break
                case .dropped: named.isWithheld = true
                case .member(let resolution):
                    let rule = Int(resolution.match.rule)
                    if rule >= 0, plan.rules[rule].hidesValue { named.isWithheld = true }
                    if plan.isInverse, plan.refusesLossyNames, resolution.loss != nil { named.isRefused = true }
                    mayBeDiscarded = !resolution.match.traits.isDisjoint(with: [.searched, .passed])
                }
            }
        }
        named.isWithheld = named.isWithheld || mayBeDiscarded
        return named
    }
}

extension Plan {
    /// Whether each value stays in its object, so that keys and paths in texts can be followed.
    package var keepsPaths: Bool {
        selectors.moves.isEmpty && !selectors.unwraps && wrapText.names.isEmpty
    }

    /// Whether the document is a value inside of the payload.
    package var unwrapsDocument: Bool { selectors.unwraps }
}
