package import ConvertEngine
import Telemetry

/// The `route` of a metric: the template of a path or the name of a gateway's route, never the path of a request.
package struct RouteLabel: Sendable, Hashable {
    package let index: UInt16

    package static let unmatched = RouteLabel(index: 0)
    package static let other = RouteLabel(index: 1)
    package static let server = RouteLabel(index: 2)
    package static let minify = RouteLabel(index: 3)
    package static let normalize = RouteLabel(index: 4)
    package static let convert = RouteLabel(index: 5)
    package static let convertByProfile = RouteLabel(index: 6)
    package static let profiles = RouteLabel(index: 7)
    package static let profile = RouteLabel(index: 8)
    package static let checkProfile = RouteLabel(index: 9)
    package static let health = RouteLabel(index: 10)
    package static let readiness = RouteLabel(index: 11)
    package static let metrics = RouteLabel(index: 12)
    package static let description = RouteLabel(index: 13)
    package static let profileSchema = RouteLabel(index: 14)
    package static let playground = RouteLabel(index: 15)
    package static let shadow = RouteLabel(index: 16)

    /// The labels of requests without a resource, which no route of a gateway may have.
    package static let reserved = ["(unmatched)", LabelTable.overflow, "*"]

    /// The name of the service's own route in the log; nil for any other route.
    package var text: String? { Int(index) < Self.fixed.count ? Self.fixed[Int(index)] : nil }

    /// The texts of the labels above, each at its number. `(unmatched)` is a request without a route, or whose header
    /// could not be read; `*` is the server itself, as in `OPTIONS *`. `(playground)` is the page at `/`: routes of gateways
    /// are often named `/`.
    package static let fixed =
        reserved + [
            "/v1/minify", "/v1/normalize", "/v1/convert", "/v1/convert/{profile}",
            "/v1/profiles", "/v1/profiles/{profile}", "/v1/profiles/check", "/healthz", "/readyz", "/metrics",
            "/openapi.yaml", "/v1/profile.schema.json", "(playground)", "/v1/shadow",
        ]
}

/// The `profile` of a metric: a name that the server has loaded, or nothing.
package struct ProfileLabel: Sendable, Hashable {
    package let index: UInt16

    /// No profile, or one that came with the request.
    package static let none = ProfileLabel(index: 0)
    package static let other = ProfileLabel(index: 1)

    package static let fixed = ["", LabelTable.overflow]
}

/// The `status` of a metric: a registered status code, or the class of any other.
package struct StatusLabel: Sendable, Hashable {
    /// The code itself; the first digit of a code that is not registered; 0 if it is not a status.
    package let number: UInt16

    /// The label for a status, which an upstream may have invented.
    package init(_ status: Int) {
        number =
            switch status {
            // The registry of RFC 9110 §16.2, and 499 for a client that left.
            case 100...104, 200...208, 226, 300...308, 400...418, 421...426, 428, 429, 431, 451, 499, 500...508, 510,
                511:
                UInt16(status)
            case 100...599: UInt16(status / 100)
            default: 0
            }
    }

    private init(class number: UInt16) { self.number = number }

    /// The label of all statuses with the same first digit.
    var ofClass: StatusLabel { StatusLabel(class: number < 100 ? number : number / 100) }

    package static func text(_ number: UInt16) -> String {
        number == 0 ? "other" : number < 100 ? "\(number)xx" : "\(number)"
    }
}

/// How the conversion of one payload ended.
package enum ConversionResult: Sendable, Hashable {
    case ok
    /// The payload was malformed or broke a rule of its profile.
    case failed(ConversionError.Code)
    /// The payload was incomplete, or the client left before its response.
    case aborted

    package static let all: [ConversionResult] =
        [.ok, .aborted] + ConversionError.Code.allCases.map(ConversionResult.failed)

    package var index: Int { Self.all.firstIndex(of: self) ?? 0 }

    /// The values of the labels `result` and `code`.
    package var labels: (result: String, code: String) {
        switch self {
        case .ok: ("ok", "")
        case .aborted: ("aborted", "")
        case .failed(let code): ("fault", code.rawValue)
        }
    }
}
