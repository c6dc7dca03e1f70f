import ConvertText

/// Has the names in values become what the profile makes of the keys that they name.
///
/// What becomes of a key is what the key mapper says of it at its place. From a key on that the profile leaves out, the rest of a name
/// stays as it is.
package struct NameTranslator: ~Copyable, Sendable {
    /// Keys of one value that are looked up; further ones stay as they are.
    private static let maxKeys = 256

    private var keys: KeyMapper

    package init(_ plan: Plan) { keys = KeyMapper(plan, lettingKeysPass: false) }

    var storedBytes: Int { keys.storedBytes }

    /// Appends what becomes of a text that names keys.
    package mutating func translate(_ content: Span<UInt8>, _ form: NameForm, into output: inout ByteBuffer) {
        guard let parts = form.parts(of: [UInt8](copying: content)) else { return output.append(content) }
        if keys.paths.isFull {
            var none: [Int32] = []
            keys.paths.removeAll(keeping: &none)
        }
        let start = base(of: form)
        var state = start
        var count = 0
        for part in parts {
            switch part {
            case .text(let text): output.append(text)
            case .restart: state = start
            case .index(let text):
                output.append(text)
                state = state.flatMap { element(text, of: $0) }
            case .key(let name):
                count += 1
                let resolution = count > Self.maxKeys ? nil : state.flatMap { member(name, of: $0) }
                append(resolution?.output ?? name, form, to: &output)
                state = resolution?.match.state
            }
        }
    }

    private mutating func base(of form: NameForm) -> Int32? {
        var state: Int32? = keys.paths.documentMatch.state
        for segment in form.base {
            switch segment {
            case .literal(let name):
                state = state.flatMap { container in
                    let match = keys.paths.member(name, of: container)
                    return match.isDropped ? nil : match.state
                }
            case .anyOne, .anyDepth:
                state = state.flatMap { container in
                    let match = keys.paths.elements(of: container).match
                    return match.isDropped ? nil : match.state
                }
            }
        }
        return state
    }

    /// The path state of an element; nil where it is left out.
    private mutating func element(_ index: [UInt8], of container: Int32) -> Int32? {
        let position = Int(String(decoding: index, as: UTF8.self))
        let named = position.flatMap { keys.paths.namedElement($0, of: container) }
        let match = named ?? keys.paths.elements(of: container).match
        return match.isDropped ? nil : match.state
    }

    /// What becomes of a member; nil where it is left out.
    private mutating func member(_ name: [UInt8], of container: Int32) -> KeyMapper.NameResolution? {
        let holdsLoneSurrogate = String(validating: name, as: UTF8.self) == nil
        let resolution =
            keys.plan.isInverse
            ? keys.inverseResolution(of: name, container, holdsLoneSurrogate)
            : keys.forwardResolution(of: name, container, holdsLoneSurrogate)
        return resolution.match.isDropped ? nil : resolution
    }

    private func append(_ name: [UInt8], _ form: NameForm, to output: inout ByteBuffer) {
        guard form.syntax == .pointer else { return output.append(name) }
        for byte in name {
            switch byte {
            case ASCII.tilde: output.append(utf8: "~0")
            case ASCII.slash: output.append(utf8: "~1")
            default: output.append(byte)
            }
        }
    }
}
