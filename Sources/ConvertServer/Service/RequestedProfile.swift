package import Conversions
package import ConvertEngine
package import ConvertProfiles
package import HTTPSemantics
import Text

/// The profile that a request contains or names.
package enum RequestedProfile {
    /// A profile of the server.
    case known(Recipe)
    /// A profile that must be compiled first.
    case document([UInt8], Profile.Direction, Limits)

    /// Compiles it now, if that is needed.
    package func recipe() throws(Problem) -> Recipe {
        switch self {
        case .known(let recipe): recipe
        case .document(let document, let direction, let limits):
            try Recipe(parsing: document, direction, limits: limits)
        }
    }
}

/// The profiles that requests may use: those of the server, and their own.
package struct RequestProfiles {
    package var set = ProfileSet.empty
    let limits: Limits
    /// The longest profile in a request.
    let maxBytes: Int
    /// Whether requests may contain profiles.
    var acceptsInline: Bool

    package func checkSize(_ count: Int) throws(Problem) {
        guard count <= maxBytes else {
            throw Problem(413, "the profile is longer than \(maxBytes) bytes", code: "profile-too-long")
        }
    }

    package func profile(of envelope: Envelope, in bytes: [UInt8]) throws(Problem) -> RequestedProfile {
        var direction = Profile.Direction.forward
        if let range = envelope.direction {
            guard let stated = Envelope.string(bytes[range]).flatMap(Profile.Direction.init(rawValue:)) else {
                throw Problem.badParameter("direction", "direction must be \"forward\" or \"inverse\"")
            }
            direction = stated
        }
        guard let range = envelope.profile else {
            throw Problem.badParameter("profile", "the envelope has no profile")
        }
        if bytes[range.lowerBound] == ASCII.quote {
            guard let name = Envelope.string(bytes[range]) else {
                throw Problem.badParameter("profile", "the profile's name is not a valid string")
            }
            return .known(try set.recipe(name, direction))
        }
        guard acceptsInline else { throw .inlineProfilesOff }
        try checkSize(range.count)
        return .document(Array(bytes[range]), direction, limits)
    }
}
