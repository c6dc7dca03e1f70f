extension ProfileReader {
    /// Examples for messages, by the description of the expected value. A string, a number or a choice needs none.
    static let examples: [String: String] = [
        "a pointer": #""/data""#,
        "a pointer or an object with `at`": #""/data" or {"at": "/data", "prefix": "data_"}"#,
        "a key or a pointer": #""data" or "/data""#,
        "the target pointer": #""/data""#,
        "a selector": #""email" or "/user/email""#,
        "a key": #""id""#,
        "the new key": #""id""#,
        "a date format, a rule or an array of rules": #""rfc3339" or {"at": "createdAt", "to": "rfc3339"}"#,
        "a date format or an object with `pattern`": #""rfc3339" or {"pattern": "dd/MM/yyyy"}"#,
        "a pattern": #""dd/MM/yyyy HH:mm""#,
        "a time zone": #""Europe/Paris""#,
        "a rule or an array of rules": #"{"at": "id", "as": "string"}"#,
        "an object of pointers and values": #"{"/currency": "EUR"}"#,
        "an object of selectors and new keys": #"{"first_name": "fn"}"#,
        "an object of source and target pointers": #"{"/a/b": "/b"}"#,
        "an object of values and their replacements": #"{"0": "inactive", "1": "active"}"#,
        "a URL": #""https://example.com""#,
        "one character": #""*""#,
        "a name that is not empty": #""HASH_KEY""#,
        "a path that is not empty": #""hash.key""#,
    ]

    /// Examples of a profile's objects, for messages about a value of another type.
    static let objects: [ProfileFormat.Object: String] = [
        .profile: #"{"keys": "camelCase"}"#,
        .dates: #"{"at": "createdAt", "to": "rfc3339"}"#,
        .values: #"{"at": "id", "as": "string"}"#,
        .maskKeep: #"{"last": 4}"#,
        .hashKey: #"{"env": "HASH_KEY"}"#,
        .prune: #"{"null": true}"#,
        .records: #"{"onError": "skip"}"#,
        .on: #"{"duplicateKey": "last"}"#,
        .output: #"{"indent": 2}"#,
        .example: #"{"in": {"a_b": 1}, "out": {"aB": 1}}"#,
    ]
}
