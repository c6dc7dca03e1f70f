/// A content that is coded in a way that is not read here, or whose coding is broken or decodes to too much.
package struct CodingError: Error, Sendable, Hashable {
    /// What was wrong, in a stable word for problem documents, logs and metrics.
    package enum Code: String, Sendable, CaseIterable {
        case unsupported = "unsupported-coding"
        case torn = "torn-coding"
        case corrupt = "corrupt-coding"
        case trailingBytes = "trailing-bytes"
        case tooLong = "decoded-body-too-long"
        case tooDense = "compression-ratio-too-high"
    }

    package let code: Code
    /// One sentence without a byte of the content.
    package let message: String
    /// Bytes of coded content before the place where the fault was found; nil when it is not in the content.
    package let offset: Int?

    package init(_ code: Code, _ message: String, at offset: Int? = nil) {
        self.code = code
        self.message = message
        self.offset = offset
    }

    /// The status to answer with when the content is a request's; 415 goes with `ContentCoding.undone` in `Accept-Encoding`.
    package var status: Int {
        switch code {
        case .unsupported: 415
        case .torn, .corrupt, .trailingBytes: 400
        case .tooLong, .tooDense: 413
        }
    }
}
