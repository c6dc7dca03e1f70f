import ConvertEngine

/// The payload's own keys, for objects whose keys are data.
///
/// The engine converts all keys before the types show which ones are data. The converter knows the keys that it changed, and usually
/// which key each of them was. If it does not, the payload is converted again, without the case rule.
struct PayloadKeys: ~Copyable, Sendable {
    private enum Content { case nothing, copy, conversion }

    /// The plan that does not change the case of keys.
    private let plan: Plan
    private var converter: Converter?
    /// A copy of the payload, which may have to be converted again.
    private var payload = ByteBuffer()
    /// The tape with the payload's own keys: in some objects if it is a copy of the converted tape, otherwise in all of them.
    private let tape: Cell<JSONTape>
    private var content = Content.nothing
    private var origins = KeyOrigins()

    init(_ plan: Plan, mayHoldDuplicates: Bool) {
        self.plan = plan
        var tape = JSONTape()
        tape.mayHoldDuplicates = mayHoldDuplicates
        self.tape = Cell(tape)
    }

    mutating func begin(_ payload: Span<UInt8>) {
        self.payload.removeAll()
        self.payload.append(payload)
        content = .nothing
    }

    /// A tape with the same tokens as `converted`. It has the payload's own keys, apart from renames, in the object at the token `object`,
    /// and with `isDeep` in all objects inside it.
    mutating func tape(
        _ object: Int, isDeep: Bool, _ converted: Cell<JSONTape>, from engine: borrowing Converter,
        _ path: CodingPathNode?
    ) throws -> Cell<JSONTape> {
        if content == .conversion { return tape }
        guard engine.update(&origins) else { return try convertedAgain(like: converted.value, path) }
        let end = isDeep ? converted.value.tokens[object].next : object + 1
        var isChanged = false
        for index in object..<end where converted.value.tokens[index].kind == .object {
            var name = index + 1
            while name < converted.value.tokens[index].next {
                switch origin(of: name, converted.value, engine) {
                case .same: break
                case .unknown: return try convertedAgain(like: converted.value, path)
                case .entry(let entry):
                    isChanged = true
                    restore(name, in: index, as: entry, converted.value, engine)
                }
                name = converted.value.tokens[name + 1].next
            }
        }
        return isChanged ? tape : converted
    }

    private func origin(
        of name: Int, _ converted: borrowing JSONTape, _ engine: borrowing Converter
    ) -> KeyOrigins.Origin {
        let token = converted.tokens[name]
        return engine.origin(of: converted.text, from: token.start, to: token.end, origins)
    }

    /// Gives a name its key in the payload, which is appended to the text of the copied tape.
    private mutating func restore(
        _ name: Int, in object: Int, as entry: Int, _ converted: borrowing JSONTape, _ engine: borrowing Converter
    ) {
        if content == .nothing { tape.value.copy(converted) }
        content = .copy
        // A type may read an object twice.
        guard tape.value.tokens[name].start == converted.tokens[name].start else { return }
        let start = tape.value.text.count
        engine.appendInputKey(of: entry, to: &tape.value.text)
        tape.value.setName(name, in: object, from: start)
    }

    /// The tape of the payload, converted without the case rule.
    ///
    /// The case rule changes only keys, so the two texts have the same shape. The exception is a rule that uses output keys
    /// (`defaults`, `move`, collisions) and found other ones there. Then the keys cannot be matched, and this throws.
    private mutating func convertedAgain(
        like converted: borrowing JSONTape, _ path: CodingPathNode?
    ) throws -> Cell<JSONTape> {
        var converter = self.converter.take() ?? Converter(plan)
        tape.value.text.removeAll()
        do throws(ConversionError) {
            try converter.finish(payload.bytes, into: &tape.value.text)
        } catch {
            throw DecodingError.dataCorrupted(error)
        }
        converter.reset()
        self.converter = consume converter
        tape.value.index()
        content = .nothing
        guard tape.value.hasShape(of: converted) else {
            let message =
                "the profile's defaults, moves or collisions depend on the keys that its case rule writes, so the input's keys of this "
                + "value cannot be found again; name it in `opaque` of the profile's `keys`, at \"\(path.pointer)\""
            throw DecodingError.dataCorrupted(.init(codingPath: path.keys, debugDescription: message))
        }
        content = .conversion
        return tape
    }
}
