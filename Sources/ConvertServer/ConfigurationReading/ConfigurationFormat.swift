/// The keys of the objects below the root of the configuration file, in one table.
///
/// `convert.schema.json` has the same for editors, and a test compares the two.
enum ConfigurationFormat {
    /// The objects of a configuration with keys of their own.
    enum Object: String, Sendable, Hashable, CaseIterable {
        case upstream, health, route, openapi, request, query, response, pass, events, fields, shadow
    }

    static func members(of object: Object) -> [String] {
        switch object {
        case .upstream:
            [
                "servers", "connectTimeoutSeconds", "responseTimeoutSeconds", "bodyIdleSeconds", "maxConnections",
                "reservedConnections", "requestBufferBytes", "host", "health",
            ]
        case .health: ["path", "intervalSeconds", "timeoutSeconds", "healthyAfter", "unhealthyAfter", "status"]
        case .route:
            [
                "name", "hosts", "match", "caseSensitive", "methods", "upstream", "stripPrefix", "request", "response",
                "upgrade", "onError", "openapi",
            ]
        case .request: ["profile", "direction", "onError", "required", "buffer", "pass", "patch", "query", "messages"]
        case .openapi: ["path", "file"]
        case .query: ["names", "values", "separator", "of"]
        case .response:
            [
                "profile", "direction", "status", "onError", "onSkip", "noTransform", "types", "pass", "events",
                "fields", "messages", "shadow",
            ]
        case .pass: ["type", "status"]
        case .events: ["only", "pass"]
        case .fields: ["parameter", "syntax"]
        case .shadow: ["profile", "direction", "sample"]
        }
    }

    static let maxSeconds = 24 * 60 * 60
    static let maxCount = 1_000_000
    static let maxRequestBufferBytes = 1024 * 1024 * 1024
}
