import ConvertEngine

/// The payload's own keys, for objects whose keys are data.
///
/// The engine converts all keys before the types show which ones are data. The converter knows the keys that it changed, and usually
/// which key each of them was. If it does not, the payload is converted again, without the case rule.
struct PayloadKeys: ~Copyable, Sendable {
    /// The plan that does not change the case of keys.
    private let plan: Plan
    private var converter: Converter?
    /// A copy of the payload, which may have to be converted again.
    private var payload = ByteBuffer()
    /// A copy of the converted tape, with the payload's own keys in the objects that were asked for.
    private let copy: Cell<JSONTape>
    private var isCopied = false
    /// The tape of the payload, converted without the case rule.
    private let plain: Cell<JSONTape>
    /// Whether `plain` has the shape of the converted tape; nil until the payload is converted again.
    private var plainFits: Bool?
    private var origins = KeyOrigins()

    init(_ plan: Plan, mayHoldDuplicates: Bool) {
        self.plan = plan
        (copy, plain) = (Cell(JSONTape()), Cell(JSONTape()))
        (copy.value.mayHoldDuplicates, plain.value.mayHoldDuplicates) = (mayHoldDuplicates, mayHoldDuplicates)
    }

    var storedBytes: Int {
        payload.capacity + copy.value.storedBytes + plain.value.storedBytes + converter.count { $0.storedBytes }
    }

    mutating func begin(_ payload: Span<UInt8>) {
        self.payload.removeAll()
        self.payload.append(payload)
        (isCopied, plainFits) = (false, nil)
    }

    /// A tape with the same tokens as `converted`. It has the payload's own keys, apart from renames, in the object at the token `object`,
    /// and with `isDeep` in all objects inside it.
    mutating func tape(
        _ object: Int, isDeep: Bool, _ converted: Cell<JSONTape>, from keys: borrowing KeyMapper,
        _ path: CodingPathNode?
    ) throws -> Cell<JSONTape> {
        guard plainFits != true, keys.update(&origins) else { return try plain(like: converted.value, path) }
        let end = isDeep ? converted.value.tokens[object].next : object + 1
        var isChanged = false
        for index in object..<end where converted.value.tokens[index].kind == .object {
            var name = index + 1
            while name < converted.value.tokens[index].next {
                switch origin(of: name, converted.value, keys) {
                case .same: break
                case .unknown: return try plain(like: converted.value, path)
                case .entry(let entry):
                    isChanged = true
                    restore(name, in: index, as: entry, converted.value, keys)
                }
                name = converted.value.tokens[name + 1].next
            }
        }
        return isChanged ? copy : converted
    }

    private func origin(
        of name: Int, _ converted: borrowing JSONTape, _ keys: borrowing KeyMapper
    ) -> KeyOrigins.Origin {
        let token = converted.tokens[name]
        return keys.origin(of: converted.text, from: token.start, to: token.end, origins)
    }

    /// Gives a name its key in the payload, which is appended to the text of the copied tape.
    private mutating func restore(
        _ name: Int, in object: Int, as entry: Int, _ converted: borrowing JSONTape, _ keys: borrowing KeyMapper
    ) {
        if !isCopied { copy.value.copy(converted) }
        isCopied = true
        // A type may read an object twice.
        guard copy.value.tokens[name].start == converted.tokens[name].start else { return }
        let start = copy.value.text.count
        keys.appendInputKey(of: entry, to: &copy.value.text)
        copy.value.setName(name, in: object, from: start)
    }

    /// The tape of the payload, converted without the case rule.
    ///
    /// The case rule changes only keys, so the two texts have the same shape. The exception is a rule that uses output keys
    /// (`defaults`, `move`, collisions) and found other ones there. Then the keys cannot be matched, and this throws.
    private mutating func plain(like converted: borrowing JSONTape, _ path: CodingPathNode?) throws -> Cell<JSONTape> {
        if plainFits == nil {
            plainFits = false
            try convertAgain()
            plainFits = plain.value.hasShape(of: converted)
        }
        guard plainFits == true else {
            let message =
                "the profile's defaults, moves or collisions depend on the keys that its case rule writes, so the input's keys of this "
                + "value cannot be found again; list \"\(path.pointer)/*\", as the payload spells it, in `except` of the profile's `keys`"
            throw DecodingError.dataCorrupted(.init(codingPath: path.keys, debugDescription: message))
        }
        return plain
    }

    private mutating func convertAgain() throws {
        var converter = self.converter.take() ?? Converter(plan)
        plain.value.text.removeAll()
        do throws(ConversionError) {
            try converter.finish(payload.bytes, into: &plain.value.text)
        } catch {
            throw DecodingError.dataCorrupted(error)
        }
        converter.reset()
        self.converter = consume converter
        plain.value.index()
    }
}
