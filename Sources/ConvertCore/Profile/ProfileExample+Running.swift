extension ProfileExample {
    /// The example for the inverse: the input comes back from the output.
    public var reversed: ProfileExample { ProfileExample(input: output, output: input, place: place, isReversed: true) }

    /// The most bytes of a result that a fault repeats.
    private static let maxQuotedBytes = 400

    /// Converts the input by `plan`; the fault says how the result differs, nil that it does not.
    ///
    /// Members are compared in their order and numbers by their text; white space and the spelling of escapes do not count.
    /// A fault repeats nothing but the profile's own text, converted.
    public func fault(under plan: Plan) -> ProfileFault? {
        let found: [UInt8]
        let expected: [UInt8]
        do throws(ConversionError) {
            found = try Self.normalised(try Self.run(plan, on: input))
            expected = try Self.normalised(output)
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

    /// The text in the one form in which two texts are compared.
    private static func normalised(_ text: [UInt8]) throws(ConversionError) -> [UInt8] {
        try run(.minify(output: OutputOptions(escapes: .minimal)), on: text)
    }

    private static func run(_ plan: Plan, on text: [UInt8]) throws(ConversionError) -> [UInt8] {
        var converter = Converter(plan)
        var result = ByteBuffer(capacity: text.count + 64)
        try converter.convert(text.span, into: &result)
        try converter.finish(into: &result)
        return Array(result)
    }

    private static func quoted(_ text: [UInt8]) -> String {
        let cut = text.count > maxQuotedBytes ? " …" : ""
        return String(decoding: text.prefix(maxQuotedBytes), as: UTF8.self) + cut
    }
}
