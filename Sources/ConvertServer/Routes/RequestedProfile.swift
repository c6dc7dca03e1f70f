import ConvertCore

/// The profile that a request brings along or names.
enum RequestedProfile {
    /// The recipe of a document that came with the request.
    static func compile(
        _ document: [UInt8], _ direction: Profile.Direction, limits: Limits
    ) throws(Problem) -> Recipe {
        do throws(ProfileError) {
            return try Recipe(
                try Profile(parsing: document), direction, limits: limits, comesAgain: false,
                documentBytes: document.count)
        } catch {
            throw Problem(error)
        }
    }

    /// The recipe that an envelope asks for.
    static func recipe(
        _ envelope: Envelope, in bytes: [UInt8], profiles: ProfileSet, limits: Limits, maxProfileBytes: Int
    ) throws(Problem) -> Recipe {
        var direction = Profile.Direction.forward
        if let range = envelope.direction {
            guard let stated = JSONString.decode(bytes[range]).flatMap(Profile.Direction.init(rawValue:)) else {
                throw Problem.badParameter("direction", "direction must be \"forward\" or \"inverse\"")
            }
            direction = stated
        }
        guard let range = envelope.profile else {
            throw Problem.badParameter("profile", "the envelope has no profile")
        }
        if bytes[range.lowerBound] == ASCII.quote {
            guard let name = JSONString.decode(bytes[range]) else {
                throw Problem.badParameter("profile", "the profile's name is no valid string")
            }
            return try profiles.recipe(name, direction)
        }
        try checkSize(range.count, maxProfileBytes)
        return try compile(Array(bytes[range]), direction, limits: limits)
    }

    static func checkSize(_ count: Int, _ maxProfileBytes: Int) throws(Problem) {
        guard count <= maxProfileBytes else {
            throw Problem(413, "the profile is longer than \(maxProfileBytes) bytes", code: "profile-too-long")
        }
    }
}
