extension ProfileExample {
    /// The example for the inverse: the input comes back from the output.
    public var reversed: ProfileExample { ProfileExample(input: output, output: input, place: place, isReversed: true) }

    /// The most bytes of a result that a fault repeats.
    private static let maxQuotedBytes = 400
    /// Bytes that are converted between two looks at the size of the result: a long new name may make much of little.
    private static let sliceBytes = 64

    /// Converts the input by `plan`; the fault says how the result differs, nil that it does not.
    ///
    /// Members are compared in their order, but for those of a reversed example, which need not come back in theirs; numbers
    /// by their text. White space and the spelling of escapes do not count.
    /// A fault repeats nothing but the profile's own text, converted.
    public func fault(under plan: Plan) -> ProfileFault? {
        let found: [UInt8]
        let expected: [UInt8]
        do throws(ConversionError) {
            expected = try normalised(output, by: .minify(), maxBytes: .max)
            // What is longer than the expected text differs from it, and no more is quoted.
            found = try normalised(input, by: plan, maxBytes: expected.count + Self.maxQuotedBytes)
        } catch {
            let pointer = error.pointer.isEmpty ? "" : " at \(error.pointer)"
            return fault(
                "the example fails\(isReversed ? " backwards" : ""): \(error.code.rawValue): \(error.message)\(pointer)"
            )
        }
        guard found != expected else { return nil }
        return fault(
            "the example gives\(isReversed ? " back" : "") \(Self.quoted(found)), not \(Self.quoted(expected))")
    }

    private func fault(_ message: String) -> ProfileFault {
        ProfileFault(pointer: place.pointer, line: place.line, column: place.column, message: message)
    }

    /// What `plan` makes of the text, in the one form in which two texts are compared; cut off soon after `maxBytes`.
    private func normalised(
        _ text: [UInt8], by plan: Plan, maxBytes: Int
    ) throws(ConversionError) -> [UInt8] {
        var converter = Converter(plan)
        var normaliser = Converter(.minify(output: OutputOptions(escapes: .minimal, sortKeys: isReversed)))
        var converted = ByteBuffer()
        var result = ByteBuffer(capacity: text.count + 64)
        var index = 0
        while index < text.count {
            let end = min(index + Self.sliceBytes, text.count)
            try converter.convert(text.span.extracting(index..<end), into: &converted)
            try normaliser.convert(converted.bytes, into: &result)
            converted.removeAll()
            guard result.count <= maxBytes else { return Array(result) }
            index = end
        }
        try converter.finish(into: &converted)
        try normaliser.convert(converted.bytes, into: &result)
        try normaliser.finish(into: &result)
        return Array(result)
    }

    private static func quoted(_ text: [UInt8]) -> String {
        let cut = text.count > maxQuotedBytes ? " …" : ""
        return String(decoding: text.prefix(maxQuotedBytes), as: UTF8.self) + cut
    }
}
