import ConvertText

/// Converts a JSON Patch (RFC 6902) of a document that the profile would convert: the paths of its operations, and
/// their values.
///
///     var converter = Converter(plan)
///     try converter.convert(patch: body, into: &output)
extension Converter {
    /// The longest patch. It is read as a whole, because an operation may have its value before its path.
    package static let maxPatchBytes = 256 * 1024
    /// The most operations of a patch and keys in their paths, counted together.
    package static let maxPatchSteps = 4096

    /// Converts a whole patch, and makes the converter ready for another payload.
    ///
    /// - Parameter readsDocument: whether operations may read values of the document: `copy`, `move` and `test`.
    /// - Precondition: the plan has no `patchHindrance`, and the converter has taken nothing since the last `reset()`.
    /// - Throws: the first error, with the position and the pointer in the patch.
    package mutating func convert(
        patch: [UInt8], readsDocument: Bool = true, into output: inout ByteBuffer
    ) throws(ConversionError) {
        // Indentation could make it a thousand times as long.
        var formatter = OutputFormatter(OutputOptions(escapes: engine.plan.output.escapes))
        try engine.convert(patch: patch, readsDocument: readsDocument, into: &formatter.text)
        formatter.write(into: &output)
    }
}

extension Engine {
    fileprivate mutating func convert(
        patch: [UInt8], readsDocument: Bool, into output: inout ByteBuffer
    ) throws(ConversionError) {
        guard patch.count <= Converter.maxPatchBytes else {
            let message = "the patch is longer than \(Converter.maxPatchBytes) bytes"
            throw ConversionError(.limit, message, at: 0, in: patch.span, pointer: "")
        }
        // The code that reads the operations relies on valid JSON.
        _ = try Plan.minify(limits: plan.limits).convert(patch)
        defer { reset() }
        let start = patch.span.endOfWhiteSpace(from: patch.span.markBytes, to: patch.count)
        guard patch[start] == ASCII.openBracket else {
            throw ConversionError(
                .badValue, "expected an array of operations", at: start, in: patch.span, pointer: "")
        }
        var steps = 0
        output.append(ASCII.openBracket)
        for (index, element) in ValidMember.all(in: patch, from: start).enumerated() {
            if index > 0 { output.append(ASCII.comma) }
            let operation = try Self.operation(at: element.value.lowerBound, pointer: "/\(index)", of: patch)
            try convert(operation, readsDocument: readsDocument, &steps, of: patch, into: &output)
        }
        output.append(ASCII.closeBracket)
    }

    private static func operation(
        at start: Int, pointer: String, of patch: [UInt8]
    ) throws(ConversionError) -> PatchOperation {
        guard patch[start] == ASCII.openBrace else {
            throw ConversionError(
                .badValue, "expected an operation, an object", at: start, in: patch.span, pointer: pointer)
        }
        var operation = PatchOperation(pointer: pointer, offset: start)
        for member in ValidMember.all(in: patch, from: start) {
            guard operation.add(member, named: JSONText.content(ofString: patch[member.name]) ?? []) else {
                throw ConversionError(
                    .duplicateKey, "this key occurs twice in the operation", at: member.name.lowerBound,
                    in: patch.span, pointer: pointer)
            }
        }
        return operation
    }

    private mutating func convert(
        _ operation: PatchOperation, readsDocument: Bool, _ steps: inout Int, of patch: [UInt8],
        into output: inout ByteBuffer
    ) throws(ConversionError) {
        func refuse(_ message: String, _ code: ConversionError.Code = .badValue) -> ConversionError {
            ConversionError(code, message, at: operation.offset, in: patch.span, pointer: operation.pointer)
        }
        let kind = operation.op.flatMap { PatchOperation.Kind(spelling: patch[$0.value]) }
        guard let kind else { throw refuse("expected the key `op` with add, remove, replace, move, copy or test") }
        guard readsDocument || !kind.readsDocument else {
            throw refuse("this route withholds data, and `\(kind.rawValue)` could show it")
        }
        guard let path = operation.path else { throw refuse("the key `path` is missing") }
        // Makes room once for both paths: if the states were emptied in between, those of the two paths could not be compared.
        keys.makeRoom(&containers, &valueState)
        let target = try follow(path, &steps, operation, of: patch)
        var source: PatchTarget?
        if kind.hasSource {
            guard let from = operation.from else { throw refuse("the key `from` is missing") }
            let followed = try follow(from, &steps, operation, of: patch)
            guard followed.isAlike(target) else {
                throw refuse("the profile converts the values at `from` and `path` in different ways")
            }
            source = followed
        }
        if kind.hasValue, operation.value == nil { throw refuse("the key `value` is missing") }
        output.append(ASCII.openBrace)
        for (index, member) in operation.members.enumerated() {
            if index > 0 { output.append(ASCII.comma) }
            output.append(patch.span.extracting(member.name))
            output.append(ASCII.colon)
            if member == path {
                JSONText.appendQuoted(target.pointer, to: &output)
            } else if member == operation.from, let source {
                JSONText.appendQuoted(source.pointer, to: &output)
            } else if member == operation.value, kind.hasValue {
                try convert(member.value, at: target, operation, of: patch, into: &output)
            } else {
                output.append(patch.span.extracting(member.value))
            }
        }
        output.append(ASCII.closeBrace)
    }

    // MARK: Paths

    private mutating func follow(
        _ member: ValidMember, _ steps: inout Int, _ operation: PatchOperation, of patch: [UInt8]
    ) throws(ConversionError) -> PatchTarget {
        func refuse(_ message: String, _ code: ConversionError.Code = .badValue) -> ConversionError {
            ConversionError(
                code, message, at: member.value.lowerBound, in: patch.span, pointer: operation.pointer)
        }
        let form = NameForm(syntax: .pointer)
        guard let text = JSONText.content(ofString: patch[member.value]), let parts = form.parts(of: text) else {
            throw refuse("expected a JSON Pointer, a string")
        }
        steps += 1 + parts.count / 2
        guard steps <= Converter.maxPatchSteps else {
            throw refuse("the paths of the patch are longer than \(Converter.maxPatchSteps) steps", .limit)
        }
        var pointer: [UInt8] = []
        var lossyKey: [UInt8]?
        let refusesLossyKeys = plan.isInverse && plan.refusesLossyNames
        let match = keys.follow(parts, of: [], maxKeys: Converter.maxPatchSteps) { part, finding in
            switch part {
            case .text(let text), .index(let text): pointer += text
            case .restart: break
            case .key(let name):
                pointer += form.spelling(of: finding.output ?? name)
                if refusesLossyKeys, case .member(let resolution) = finding, resolution.loss != nil { lossyKey = name }
            }
        }
        if let lossyKey {
            throw refuse("\(KeyMapper.quoted(lossyKey)) cannot be restored in this direction", .lossyKey)
        }
        guard let match else { throw refuse("the profile removes this value") }
        return PatchTarget(pointer: pointer, match: match)
    }

    // MARK: Values

    private mutating func convert(
        _ value: Range<Int>, at target: PatchTarget, _ operation: PatchOperation, of patch: [UInt8],
        into output: inout ByteBuffer
    ) throws(ConversionError) {
        reset()
        containers.top = Container(kind: .payload, state: target.match.state)
        (valueState, valueRule, valueTraits) = (target.match.state, target.match.rule, target.match.traits)
        do throws(ConversionError) {
            try finish(patch.span.extracting(value), into: &output)
        } catch {
            throw ConversionError(
                error.code, error.message, at: value.lowerBound + error.offset, in: patch.span,
                pointer: operation.pointer + "/value" + error.pointer, rule: error.rule)
        }
    }
}

/// The value in the document at the path of an operation.
private struct PatchTarget {
    /// The JSON Pointer to the value in the output.
    let pointer: [UInt8]
    let match: PathAutomaton.Match

    /// Whether the profile converts the values at both paths in the same way.
    func isAlike(_ other: PatchTarget) -> Bool {
        match.state == other.match.state && match.rule == other.match.rule && match.traits == other.match.traits
    }
}
