/// An error of the peer. A client gets one response with `status`, and then the connection closes. An upstream's
/// response is discarded with its connection.
public struct WireError: Error, Sendable, Equatable {
    /// The kind of error, as a stable word for problem documents, logs and metrics.
    public enum Code: String, Sendable, CaseIterable {
        case tlsHello = "tls-hello"
        case badRequestLine = "bad-request-line"
        case methodTooLong = "method-too-long"
        case badTarget = "bad-target"
        case requestLineTooLong = "request-line-too-long"
        case badVersion = "bad-version"
        case unsupportedVersion = "unsupported-version"
        case badFieldName = "bad-field-name"
        case badFieldValue = "bad-field-value"
        case foldedField = "folded-field"
        case bareLineEnd = "bare-line-end"
        case fieldTooLong = "field-too-long"
        case headTooLong = "head-too-long"
        case tooManyFields = "too-many-fields"
        case missingHost = "missing-host"
        case badHost = "bad-host"
        case badContentLength = "bad-content-length"
        case conflictingFraming = "conflicting-framing"
        case badTransferEncoding = "bad-transfer-encoding"
        case unsupportedTransferEncoding = "unsupported-transfer-encoding"
        case unknownExpectation = "unknown-expectation"
        case bodyTooLong = "body-too-long"
        case badChunkSize = "bad-chunk-size"
        case badChunkExtension = "bad-chunk-extension"
        case chunkExtensionsTooLong = "chunk-extensions-too-long"
        case badChunkEnd = "bad-chunk-end"
        case trailersTooLong = "trailers-too-long"
        case tornHead = "torn-head"
        case tornBody = "torn-body"
        case badStatusLine = "bad-status-line"
        case badStatus = "bad-status"
        case statusLineTooLong = "status-line-too-long"
        case tooManyInformational = "too-many-informational"
        case unaskedSwitch = "unasked-switch"
        case unaskedResponse = "unasked-response"
        case unanswered = "unanswered"
        case timeout = "timeout"
    }

    public let code: Code
    /// Bytes from the start of the head or, for an error in the body, from the start of the body as received.
    public let offset: Int

    public init(_ code: Code, at offset: Int) {
        self.code = code
        self.offset = offset
    }

    /// The status of the response.
    public var status: Int {
        switch code {
        case .timeout: 408
        case .bodyTooLong: 413
        case .requestLineTooLong: 414
        case .unknownExpectation: 417
        case .fieldTooLong, .headTooLong, .tooManyFields, .trailersTooLong: 431
        case .methodTooLong, .unsupportedTransferEncoding: 501
        case .unsupportedVersion: 505
        case .badStatusLine, .badStatus, .statusLineTooLong, .tooManyInformational, .unaskedSwitch,
            .unaskedResponse, .unanswered:
            502
        default: 400
        }
    }

    /// One sentence without any received byte.
    public var message: String {
        switch code {
        case .tlsHello: "a TLS handshake was sent to a port that speaks plain HTTP"
        case .badRequestLine: "a request line is a method, a space, a percent-encoded target, a space and a version"
        case .methodTooLong: "the method is too long"
        case .badTarget: "the request target does not fit the method"
        case .requestLineTooLong: "the request line is too long"
        case .badVersion: "the version must be HTTP/ and two digits with a dot between them"
        case .unsupportedVersion: "only HTTP/1.0 and HTTP/1.1 are supported"
        case .badFieldName: "a field name must be a token with a colon right after it"
        case .badFieldValue: "a field value contains a control character"
        case .foldedField: "a field is continued on the next line"
        case .bareLineEnd: "a line must end with CR LF, and neither may be alone"
        case .fieldTooLong: "a field line is too long"
        case .headTooLong: "the header fields are too long in total"
        case .tooManyFields: "there are too many fields"
        case .missingHost: "HTTP/1.1 requires a Host field"
        case .badHost: "there must be one Host field with a valid host and port"
        case .badContentLength: "Content-Length must be given once, in digits, and fit 63 bits"
        case .conflictingFraming: "Content-Length and Transfer-Encoding cannot be together"
        case .badTransferEncoding: "Transfer-Encoding must be chunked, once, and needs HTTP/1.1"
        case .unsupportedTransferEncoding: "only the transfer coding chunked is supported"
        case .unknownExpectation: "only the expectation 100-continue is supported"
        case .bodyTooLong: "the body is too long"
        case .badChunkSize: "a chunk size must be hexadecimal digits and fit 63 bits"
        case .badChunkExtension: "a chunk extension is malformed"
        case .chunkExtensionsTooLong: "the chunk extensions are too long in total"
        case .badChunkEnd: "a chunk must end with CR LF after as many bytes as it announced"
        case .trailersTooLong: "the trailer fields are too long or too many"
        case .tornHead: "the connection ended inside the header"
        case .tornBody: "the connection ended inside the body"
        case .badStatusLine: "the status line must be a version, a space, three digits, a space and a reason"
        case .badStatus: "the status must be 100 to 599"
        case .statusLineTooLong: "the status line is too long"
        case .tooManyInformational: "there are too many informational responses"
        case .unaskedSwitch: "the protocol was switched to one that the request did not ask for"
        case .unaskedResponse: "bytes arrived that no request asked for"
        case .unanswered: "the connection ended before a byte of the response"
        case .timeout: "the message took too long to arrive"
        }
    }
}
