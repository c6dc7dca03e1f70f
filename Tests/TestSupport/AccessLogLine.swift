/// A line of the access log as another JSON parser reads it.
package struct AccessLogLine: Decodable, Equatable {
    package var requestId: String?
    package var client: String?
    package var `protocol`: String?
    package var method: String?
    package var host: String?
    package var path: String?
    package var userAgent: String?
    package var traceId: String?
    package var status: Int?
    package var code: String?
    package var bytesIn: Int?
    package var route: String?
    package var upstream: String?
    package var server: String?
    package var attempts: Int?
    package var upstreamMicros: Int?
}
