import ConvertCore

/// A body through a converter, after its content coding is undone: coded bytes in, JSON in the unit's output.
final class BodyConverter {
    let unit: ConverterPool.Unit
    private var inflater: Inflater?
    private let sliceBytes: Int
    /// How it ended, as far as is known.
    private(set) var result = ConversionResult.aborted

    /// - Parameter maxDecodedBytes: nil for any number; the ratio is limited in any case.
    init(
        _ recipe: Recipe, _ framing: Converter.Framing, coding: ContentCoding, maxDecodedBytes: Int?,
        _ pool: ConverterPool
    ) {
        unit = pool.take(recipe, framing)
        sliceBytes = recipe.maxSliceBytes
        if coding != .identity {
            inflater = Inflater(coding, limits: Inflater.Limits(maxDecodedBytes: maxDecodedBytes))
        }
    }

    var isCoded: Bool { inflater != nil }

    /// Decodes and converts the next bytes.
    ///
    /// - Parameter portion: room to decode to, empty before and after.
    func convert(_ bytes: Span<UInt8>, _ portion: inout ByteBuffer) throws(Problem) {
        guard inflater != nil else { return try convertDecoded(bytes) }
        var position = 0
        while true {
            let progress: Inflater.Progress?
            do throws(CodingError) {
                progress = try inflater?.decode(bytes, at: &position, maxBytes: sliceBytes, into: &portion)
            } catch {
                portion.removeAll()
                throw Problem(error)
            }
            defer { portion.removeAll() }
            try convertDecoded(portion.bytes)
            if progress != .needsRoom { return }
        }
    }

    /// Ends the body.
    func finish() throws(Problem) {
        do throws(CodingError) {
            try inflater?.finish()
        } catch {
            throw Problem(error)
        }
        do throws(ConversionError) {
            try unit.finish()
            result = .ok
        } catch {
            throw fault(error)
        }
    }

    private func convertDecoded(_ bytes: Span<UInt8>) throws(Problem) {
        var start = 0
        while start < bytes.count {
            let end = min(bytes.count, start + sliceBytes)
            do throws(ConversionError) {
                try unit.convert(bytes.extracting(start..<end))
            } catch {
                throw fault(error)
            }
            start = end
        }
    }

    private func fault(_ error: ConversionError) -> Problem {
        result = .fault(error.code)
        return Problem(error)
    }
}
