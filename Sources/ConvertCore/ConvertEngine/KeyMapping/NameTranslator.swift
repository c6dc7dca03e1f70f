import ConvertText

/// Translates the keys in values as the profile translates those keys in the payload.
///
/// The key mapper decides on each key at its path. From a key on that the profile removes, the rest of a path stays unchanged.
package struct NameTranslator: ~Copyable, Sendable {
    /// The most keys of one text that are looked up; further ones stay unchanged.
    package static let maxKeys = 256
    /// The longest text whose keys are looked up, in bytes. A part takes far more memory than its bytes.
    private static let maxBytes = 64 * 1024

    private(set) var keys: KeyMapper

    package init(_ plan: Plan) { keys = KeyMapper(plan, lettingKeysPass: false) }

    @inline(__always) var storedBytes: Int { keys.storedBytes }

    /// Appends a text with its keys translated. A text that does not have this form, or is too long, is appended unchanged.
    package mutating func translate(_ content: Span<UInt8>, _ form: NameForm, into output: inout ByteBuffer) {
        guard content.count <= Self.maxBytes, let parts = form.parts(of: [UInt8](copying: content)) else {
            return output.append(content)
        }
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
            keys.paths.removeAll(keeping: &none, keys.plan.paths)
        }
        _ = keys.follow(parts, of: form.base, maxKeys: Self.maxKeys, body)
    }
}
