import ConvertEngine

@testable import ContentCodings
@testable import HTTPSemantics

extension Inflater {
    /// Decodes content that arrives in pieces, at most `maxBytes` at a time, and checks this limit.
    static func decode(
        _ pieces: [ArraySlice<UInt8>], _ coding: ContentCoding, limits: Limits = Limits(maxDecodedBytes: nil),
        maxBytes: Int = 64 * 1024
    ) throws(CodingError) -> [UInt8] {
        var inflater = Inflater(coding, limits: limits)
        var content: [UInt8] = []
        var portion = ByteBuffer()
        for piece in pieces {
            var position = 0
            let bytes = Array(piece)
            while true {
                let progress = try inflater.decode(bytes.span, at: &position, maxBytes: maxBytes, into: &portion)
                precondition(portion.count <= maxBytes, "more was decoded than there was room for")
                content += [UInt8](portion)
                portion.removeAll()
                guard case .needsRoom = progress else { break }
            }
            precondition(position == bytes.count, "input was left though more was asked for")
        }
        try inflater.finish()
        return content
    }

    static func decode(
        _ coded: [UInt8], _ coding: ContentCoding, limits: Limits = Limits(maxDecodedBytes: nil)
    ) throws(CodingError) -> [UInt8] {
        try decode([coded[...]], coding, limits: limits)
    }

    /// The error from decoding, nil if it succeeds.
    static func error(
        in coded: [UInt8], _ coding: ContentCoding, limits: Limits = Limits(maxDecodedBytes: nil)
    ) -> CodingError? {
        do throws(CodingError) {
            _ = try decode(coded, coding, limits: limits)
            return nil
        } catch {
            return error
        }
    }
}
