package import ConvertEngine

extension Profile {
    /// Creates a profile from a case for the keys and a format for the dates, both optional.
    ///
    /// Throws if `dates` is not a format that `"dates": "…"` accepts.
    package init(keys: KeyCase?, dates: String?) throws(ProfileError) {
        let members = [
            keys.map { "\"keys\":\"\($0.rawValue)\"" },
            dates.map { "\"dates\":\(JSONText.quoted($0))" },
        ]
        try self.init(parsing: "{" + members.compactMap { $0 }.joined(separator: ",") + "}")
    }

    /// This profile with another policy for bad records. The path of the records stays, unless a bad record was an
    /// error before. Then the profile may have rules across records, so only the lines of NDJSON are records.
    package func replacing(onError: RecordPolicy) -> Profile {
        var profile = self
        let location = DocumentLocation(pointer: "/records", line: 1, column: 1)
        profile.records = RecordsSection(at: sparedRecords, onError: onError, location: records?.location ?? location)
        return profile
    }

    /// This profile with its sections `keys` and `dates` replaced by the arguments that are not nil.
    ///
    /// Throws if `dates` is not a format that `"dates": "…"` accepts.
    package func replacing(keys: KeyCase?, dates: String?) throws(ProfileError) -> Profile {
        let replacement = try Profile(keys: keys, dates: dates)
        var profile = self
        if keys != nil { profile.keys = replacement.keys }
        if dates != nil { profile.dates = replacement.dates }
        return profile
    }
}
