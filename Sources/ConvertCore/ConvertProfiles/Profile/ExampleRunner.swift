package import ConvertEngine

extension ProfileExample {
    /// The example for the inverse direction, from the output back to the input.
    package var reversed: ProfileExample {
        ProfileExample(input: output, output: input, location: location, isReversed: true)
    }

    /// Converts the input by `plan`. Returns how the result differs; nil if it does not.
    ///
    /// Keys are compared in their order, except in a reversed example. Numbers are compared by their text. White space
    /// and the spelling of escapes do not count. The message contains only the profile's own text, converted.
    public func fault(under plan: Plan) -> ProfileFault? {
        var runner = ExampleRunner(plan, areReversed: isReversed)
        return runner.fault(of: self)
    }
}

/// Runs the examples of a profile one after another, all forward or all reversed.
struct ExampleRunner: ~Copyable {
    /// The most bytes of one result that the converter may buffer until a container ends.
    static let maxHeldBytes = 4 * 1024 * 1024
    /// Bytes of messages after which no more examples are run.
    private static let maxMessageBytes = 1024 * 1024
    /// The most tries for the members of all examples together; see `Plan.maxTries`.
    private static let maxTries = 8_000_000
    /// The time for buffered results: each `stepBytes` bytes count as `tries` tries.
    private static let held = (stepBytes: 64 * 1024, tries: 512)
    /// Bytes of the shortest member, `"a":1,`.
    private static let leastMemberBytes = 6
    /// The most bytes of a result that an error repeats.
    private static let maxQuotedBytes = 400
    /// Bytes that are converted before the size of the result is checked again: a long new key can make a short input long.
    private static let sliceBytes = 64
    /// Bytes of a result that are normalised before it is compared with the longest one that matters.
    private static let normalisedBytes = 4 * 1024

    private let areReversed: Bool
    private let triesPerMember: Int
    /// The most tries that the examples so far can have needed.
    private var tries = 0
    /// The most bytes of the last result that were buffered at one time.
    private var heldBytes = 0
    /// The bytes of the last result that were written. Those beyond the length of the input count as a try each.
    private var writtenBytes = 0
    private var converter: Converter
    /// Rewrites texts in one form, so that equal values have equal texts.
    private var normaliser: Converter

    init(_ plan: Plan, areReversed: Bool) {
        self.areReversed = areReversed
        triesPerMember = max(1, plan.maxTries)
        converter = Converter(plan)
        normaliser = Converter(
            .minify(
                output: OutputOptions(escapes: .minimal, sortKeys: areReversed),
                limits: Limits(maxHeldBytes: Self.maxHeldBytes)))
    }

    /// Runs examples, which are in their forward direction, and adds their errors: `ProfileReader.maxFaults` at most, and none after
    /// `maxMessageBytes` of messages. The first example that would exceed `maxTries` is an error, and no example after it is run.
    ///
    /// - Returns: whether all of them were run.
    mutating func run(_ examples: [ProfileExample], into faults: inout [ProfileFault]) -> Bool {
        var messageBytes = faults.reduce(0) { $0 + $1.message.utf8.count }
        for written in examples {
            guard faults.count < ProfileReader.maxFaults, messageBytes < Self.maxMessageBytes else { return false }
            let example = areReversed ? written.reversed : written
            tries += example.input.count / Self.leastMemberBytes * triesPerMember
            guard tries < Self.maxTries else {
                faults.append(tooLong(example))
                return false
            }
            let fault = fault(of: example)
            tries += heldBytes / Self.held.stepBytes * Self.held.tries + max(0, writtenBytes - example.input.count)
            guard let fault else { continue }
            messageBytes += fault.message.utf8.count
            faults.append(fault)
        }
        return true
    }

    /// The error of an example whose result differs from the expected output; nil if they are equal.
    mutating func fault(of example: ProfileExample) -> ProfileFault? {
        let found: [UInt8]
        let expected: [UInt8]
        (heldBytes, writtenBytes) = (0, 0)
        do throws(ConversionError) {
            expected = try normalised(example.output)
            // A longer result differs in any case, and an error quotes no more of it.
            found = try result(of: example.input, maxBytes: expected.count + Self.maxQuotedBytes)
        } catch {
            let pointer = error.pointer.isEmpty ? "" : " at \(error.pointer)"
            return ProfileFault(
                at: example.location,
                "the example fails\(areReversed ? " backwards" : ""): \(error.code.rawValue): \(error.message)\(pointer)"
            )
        }
        guard found != expected else { return nil }
        return ProfileFault(
            at: example.location,
            "the example gives\(areReversed ? " back" : "") \(Self.quoted(found)), not \(Self.quoted(expected))")
    }

    private func tooLong(_ example: ProfileExample) -> ProfileFault {
        let direction = areReversed ? " backwards" : ""
        return ProfileFault(
            at: example.location,
            "the example takes too long\(direction) under this profile: it and the examples after it are not run",
            hint: "write shorter examples, or fewer selectors with `*`")
    }

    private mutating func normalised(_ text: [UInt8]) throws(ConversionError) -> [UInt8] {
        normaliser.reset()
        var result = ByteBuffer(capacity: text.count)
        try normaliser.finish(text.span, into: &result)
        return Array(result)
    }

    /// The result of converting the text, normalised; cut off soon after `maxBytes`.
    private mutating func result(of text: [UInt8], maxBytes: Int) throws(ConversionError) -> [UInt8] {
        converter.reset()
        normaliser.reset()
        let knownBytes = converter.heldBytes
        heldBytes = 0
        // If the conversion fails, the bytes that are buffered at that time count as well.
        defer { heldBytes = max(heldBytes, converter.heldBytes - knownBytes) }
        var converted = ByteBuffer()
        var result = ByteBuffer(capacity: text.count + 64)
        var index = 0
        while index < text.count || converter.isWriting {
            // A buffered object may be much longer than the part that is compared, so it is written in steps.
            if converter.isWriting {
                try converter.continueWriting(into: &converted)
            } else {
                let end = min(index + Self.sliceBytes, text.count)
                try converter.begin(text.span.extracting(index..<end), into: &converted)
                index = end
                heldBytes = max(heldBytes, converter.heldBytes - knownBytes)
            }
            writtenBytes += converted.count
            for start in stride(from: 0, to: converted.count, by: Self.normalisedBytes) {
                let end = min(start + Self.normalisedBytes, converted.count)
                try normaliser.convert(converted.bytes.extracting(start..<end), into: &result)
                guard result.count <= maxBytes else { return Array(result) }
            }
            converted.removeAll()
        }
        try converter.finish(into: &converted)
        try normaliser.finish(converted.bytes, into: &result)
        return Array(result)
    }

    private static func quoted(_ text: [UInt8]) -> String {
        let cut = text.count > maxQuotedBytes ? " …" : ""
        return String(decoding: text.prefix(maxQuotedBytes), as: UTF8.self) + cut
    }
}
