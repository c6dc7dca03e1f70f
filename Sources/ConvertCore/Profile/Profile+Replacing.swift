extension Profile {
    /// The profile that two words make: a case for the keys, a format for the dates, each optional.
    ///
    /// Throws when `dates` is no format that `"dates": "…"` takes.
    public init(keys: KeyCase?, dates: String?) throws(ProfileError) {
        var members: [String] = []
        if let keys { members.append("\"keys\":\"\(keys.rawValue)\"") }
        if let dates { members.append("\"dates\":\(Self.quoted(dates))") }
        try self.init(parsing: Array("{\(members.joined(separator: ","))}".utf8))
    }

    /// This profile with `keys` and `dates`, where given, in place of its sections of these names.
    ///
    /// Throws when `dates` is no format that `"dates": "…"` takes.
    public func replacing(keys: KeyCase?, dates: String?) throws(ProfileError) -> Profile {
        let replacement = try Profile(keys: keys, dates: dates)
        var profile = self
        if keys != nil { profile.keys = replacement.keys }
        if dates != nil { profile.dates = replacement.dates }
        return profile
    }

    /// `text` as a JSON string.
    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"", "\\":
                quoted += "\\"
                quoted.unicodeScalars.append(scalar)
            case "\0"..<" ":
                let digits = String(scalar.value, radix: 16)
                quoted += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default:
                quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
