/// How a text outside of payloads, such as a parameter of a query, names keys.
package struct OutsideForm: Sendable, Hashable {
    package enum Syntax: String, Sendable, Hashable, CaseIterable {
        /// One key.
        case name
        /// Paths with commas between them, each with a sign, `:asc` or `:desc`, or neither.
        case names
        /// Keys and indices: `a.b[0].c` or `a[b][0][c]`.
        case path
        /// RFC 6901, from the document.
        case pointer
    }

    let form: NameForm

    /// - Parameters:
    ///   - separator: what is between the keys of a path, beside brackets; UTF-8, not empty.
    ///   - base: the object where names and paths begin, a pointer without `**`; nil for the document.
    package init(_ syntax: Syntax, separator: [UInt8], of base: Selector? = nil) {
        let known: NameForm.Syntax =
            switch syntax {
            case .name: .name
            case .names: .parameters
            case .path: .parameter
            case .pointer: .pointer
            }
        // A pointer begins at the document.
        let segments = syntax == .pointer ? [] : base?.pointerSegments ?? []
        form = NameForm(syntax: known, separator: separator, base: segments)
    }
}

/// What a profile says of a text that names keys.
package struct NamedText: Sendable, Equatable {
    /// A piece of the text.
    package struct Piece: Sendable, Equatable {
        /// Bytes of the text.
        package let count: Int
        /// What is written in their place; nil if they stay.
        package let replacement: [UInt8]?
        package let isKey: Bool
    }

    /// In the order of the text, all of it.
    package fileprivate(set) var pieces: [Piece] = []
    /// Whether the profile drops, masks or hashes what a key of the text names, or may do so.
    package fileprivate(set) var isWithheld = false
    /// Whether the profile refuses a key that it cannot restore, and one of the text is such a key.
    package fileprivate(set) var isRefused = false

    package var keyCount: Int { pieces.count(where: { $0.isKey }) }
    package var isChanged: Bool { pieces.contains { $0.replacement != nil } }
}

/// Looks up keys that texts outside of payloads name. It remembers what it has learned of paths.
package struct NameLookup: ~Copyable {
    /// The most keys of one text that are looked up; no text with more may be followed.
    package static let maxKeys = NameTranslator.maxKeys

    private var translator: NameTranslator
    private let plan: Plan

    package init(_ plan: Plan) {
        self.plan = plan
        translator = NameTranslator(plan)
    }

    /// What the profile says of a text; nil if the text does not have the form.
    package mutating func follow(_ text: [UInt8], _ outside: OutsideForm) -> NamedText? {
        let form = outside.form
        guard let parts = form.parts(of: text) else { return nil }
        var named = NamedText()
        // A key at the end of a path may be the one of a value that stays only if it is an object.
        var mayBeLeftOut = false
        let plan = plan
        translator.follow(parts, form) { part, finding in
            switch part {
            case .text(let bytes): named.pieces.append(.init(count: bytes.count, replacement: nil, isKey: false))
            case .index(let bytes):
                named.pieces.append(.init(count: bytes.count, replacement: nil, isKey: false))
                mayBeLeftOut = false
            case .restart:
                named.isWithheld = named.isWithheld || mayBeLeftOut
                mayBeLeftOut = false
            case .key(let name):
                named.pieces.append(
                    .init(
                        count: form.spelling(of: name).count, replacement: finding.output.map(form.spelling(of:)),
                        isKey: true))
                mayBeLeftOut = false
                switch finding {
                case .unknown: break
                case .dropped: named.isWithheld = true
                case .member(let resolution):
                    let rule = Int(resolution.match.rule)
                    if rule >= 0, plan.rules[rule].hidesValue { named.isWithheld = true }
                    if plan.isInverse, plan.refusesLossyNames, resolution.loss != nil { named.isRefused = true }
                    mayBeLeftOut = !resolution.match.traits.isDisjoint(with: [.searched, .passed])
                }
            }
        }
        named.isWithheld = named.isWithheld || mayBeLeftOut
        return named
    }
}

extension Plan {
    /// Whether each value stays in the object where it was, so that names and paths of keys can be followed.
    package var keepsPlaces: Bool {
        selectors.moves.isEmpty && !selectors.unwraps && envelope.names.isEmpty && lineEnvelope.names.isEmpty
    }

    /// Whether the document is a value inside of the payload.
    package var unwrapsDocument: Bool { selectors.unwraps }
}
