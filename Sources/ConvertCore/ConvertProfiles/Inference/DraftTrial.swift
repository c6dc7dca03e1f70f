import ConvertEngine

/// Runs drafts on samples.
struct DraftTrial {
    /// Payloads and their expected outputs, without white space and unneeded escapes.
    let samples: [ProfileInference.Sample]

    /// The indices of the samples that a draft converts wrongly; nil if it is not a valid profile.
    func failures(of draft: ProfileDraft) -> [Int]? {
        guard let plan = try? Profile(parsing: draft.document).compile(.forward) else { return nil }
        var converter = Converter(plan)
        return samples.indices.filter {
            converter.result(of: samples[$0].input).flatMap(Self.normalised) != samples[$0].output
        }
    }

    /// A text in the spelling that outputs are compared in; nil if it is not JSON.
    static func normalised(_ text: [UInt8]) -> [UInt8]? {
        try? Plan.minify(output: OutputOptions(escapes: .minimal)).convert(text)
    }
}

extension Converter {
    /// The output of one payload, independent of earlier payloads; nil if it is refused.
    mutating func result(of payload: [UInt8]) -> [UInt8]? {
        reset()
        var output = ByteBuffer(capacity: payload.count)
        do throws(ConversionError) {
            try finish(payload.span, into: &output)
        } catch {
            return nil
        }
        return Array(output)
    }
}
