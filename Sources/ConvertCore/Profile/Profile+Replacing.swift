extension Profile {
    /// The profile that two words make: a case for the keys, a format for the dates, each optional.
    ///
    /// Throws when `dates` is not a format that `"dates": "…"` takes.
    public init(keys: KeyCase?, dates: String?) throws(ProfileError) {
        var document = ByteBuffer()
        document.append(ASCII.openBrace)
        if let keys { document.append(utf8: "\"keys\":\"\(keys.rawValue)\"") }
        if keys != nil, dates != nil { document.append(ASCII.comma) }
        if let dates {
            document.append(utf8: "\"dates\":\"")
            JSONText.appendSpelling(of: Array(dates.utf8).span, to: &document, .minimal)
            document.append(ASCII.quote)
        }
        document.append(ASCII.closeBrace)
        try self.init(parsing: Array(document))
    }

    /// This profile with another answer to bad records. Where they are stays, unless a bad one was an error: then the profile may
    /// have rules that act across records, and only the lines of NDJSON are.
    public func replacing(onError: RecordsSection.OnError) -> Profile {
        var profile = self
        let place = ProfilePlace(pointer: "/records", line: 1, column: 1)
        profile.records = RecordsSection(
            at: records?.onError == .fail ? nil : records?.at, onError: onError, place: records?.place ?? place)
        return profile
    }

    /// This profile with `keys` and `dates`, where given, in place of its sections of these names.
    ///
    /// Throws when `dates` is not a format that `"dates": "…"` takes.
    public func replacing(keys: KeyCase?, dates: String?) throws(ProfileError) -> Profile {
        let replacement = try Profile(keys: keys, dates: dates)
        var profile = self
        if keys != nil { profile.keys = replacement.keys }
        if dates != nil { profile.dates = replacement.dates }
        return profile
    }
}
