import ConvertText

/// Has the names in values become what the profile makes of the keys that they name.
///
/// What becomes of a key is what the key mapper says of it at its place. From a key on that the profile leaves out, the rest of a name
/// stays as it is.
package struct NameTranslator: ~Copyable, Sendable {
    /// Keys of one text that are looked up; further ones stay as they are.
    static let maxKeys = 256

    private var keys: KeyMapper

    package init(_ plan: Plan) { keys = KeyMapper(plan, lettingKeysPass: false) }

    var storedBytes: Int { keys.storedBytes }

    /// Appends what becomes of a text that names keys.
    package mutating func translate(_ content: Span<UInt8>, _ form: NameForm, into output: inout ByteBuffer) {
        guard let parts = form.parts(of: [UInt8](copying: content)) else { return output.append(content) }
        follow(parts, form) { part, finding in
            switch part {
            case .text(let text), .index(let text): output.append(text)
            case .restart: break
            case .key(let name): output.append(form.spelling(of: finding.output ?? name))
            }
        }
    }

    /// Looks up the keys of a text one by one.
    mutating func follow(_ parts: [NamePart], _ form: NameForm, _ body: (NamePart, NameFinding) -> Void) {
        if keys.paths.isFull {
            var none: [Int32] = []
            keys.paths.removeAll(keeping: &none)
        }
        _ = keys.follow(parts, of: form.base, maxKeys: Self.maxKeys, body)
    }
}
