import ContentCodings
import ConvertEngine
import HTTPSemantics
import Synchronization
import Text

/// The page at `/`, which is kept gzipped.
package final class PlaygroundPage: Sendable {
    static let contentType = "text/html; charset=utf-8"
    /// A gzip file ends with the CRC-32 and the length of its content (RFC 1952 §2.3.1).
    private static let trailerBytes = 8
    private static let maxPageBytes = 16 * 1024 * 1024

    private let gzipped: [UInt8]
    private let fields: [Problem.Field]
    private let tag: EntityTag
    /// The decompressed page. It is stored for the first client that accepts no gzip, so that it is decompressed only once.
    private let inflated = Mutex<[UInt8]?>(nil)

    /// - Parameters:
    ///   - gzipped: the page.
    ///   - policy: its Content-Security-Policy.
    /// - Returns: nil if there is no page.
    package init?(gzipped: [UInt8], policy: String) {
        guard gzipped.count > Self.trailerBytes else { return nil }
        self.gzipped = gzipped
        // Weak, because the page has the same tag in both codings.
        let digits = gzipped.suffix(Self.trailerBytes).flatMap { [ASCII.hexDigit($0 >> 4), ASCII.hexDigit($0 & 0xF)] }
        tag = EntityTag(isWeak: true, opaque: digits)
        fields = [
            Problem.Field(name: "Cache-Control", value: "no-cache"),
            Problem.Field(name: "Content-Security-Policy", value: policy),
            Problem.Field(name: "ETag", value: tag.description),
            Problem.Field(name: "Referrer-Policy", value: "no-referrer"),
        ]
    }

    /// The response to a client that accepts these codings. Without `accepted`, it has not named any.
    ///
    /// - Throws: 406 if it accepts neither gzip nor the page itself.
    func response(_ accepted: AcceptEncoding?) throws(Problem) -> WholeResponse {
        var response = WholeResponse(contentType: Self.contentType)
        response.fields = fields
        response.tag = tag
        response.needsRoom = true
        if let accepted, accepted.accepts(.gzip) {
            response.body = gzipped
            response.bodyCoding = .gzip
            return response
        }
        guard accepted?.accepts(.identity) ?? true else { throw .noAcceptableCoding }
        response.body = page()
        return response
    }

    private func page() -> [UInt8] {
        inflated.withLock { inflated in
            let page = inflated ?? Self.inflate(gzipped)
            inflated = page
            return page
        }
    }

    private static func inflate(_ gzipped: [UInt8]) -> [UInt8] {
        var inflater = Inflater(.gzip, limits: Inflater.Limits(maxDecodedBytes: maxPageBytes))
        var page = ByteBuffer(capacity: gzipped.count)
        var position = 0
        do throws(CodingError) {
            _ = try inflater.decode(gzipped.span, at: &position, maxBytes: maxPageBytes, into: &page)
            try inflater.finish()
        } catch {
            preconditionFailure("the program's page is not a gzip file: \(error)")
        }
        return Array(page)
    }
}
