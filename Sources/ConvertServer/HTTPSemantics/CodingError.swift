/// An error of a compressed body: its coding is not supported, it is corrupt, or it decodes to too much.
package struct CodingError: Error, Sendable, Hashable {
    /// The kind of error, as a stable word for problem documents, logs and metrics.
    package enum Code: String, Sendable, CaseIterable {
        case unsupported = "unsupported-coding"
        case torn = "torn-coding"
        case corrupt = "corrupt-coding"
        case trailingBytes = "trailing-bytes"
        case tooLong = "decoded-body-too-long"
        case tooDense = "compression-ratio-too-high"
    }

    package let code: Code
    /// One sentence without any byte of the body.
    package let message: String

    package init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The status if the body is a request's. 415 has `ContentCoding.undone` in `Accept-Encoding`.
    package var status: Int {
        switch code {
        case .unsupported: 415
        case .torn, .corrupt, .trailingBytes: 400
        case .tooLong, .tooDense: 413
        }
    }
}
