/// What a values rule writes, as a profile names it in `as`.
public struct ValueForm: Sendable, Hashable {
    let name: String
    /// `case`, for a UUID.
    let letterCase: String?
    /// `relativeTo`, for a URL.
    let base: String?

    private init(_ name: String, letterCase: String? = nil, base: String? = nil) {
        self.name = name
        self.letterCase = letterCase
        self.base = base
    }

    /// The exact text of a number or boolean, in quotes.
    public static let string = ValueForm("string")
    /// The number that a string spells, with the same text.
    public static let number = ValueForm("number")
    /// The integer that a string spells, without fraction or exponent.
    public static let integer = ValueForm("integer")
    /// A boolean, from `"true"`, `"false"`, 0 or 1.
    public static let boolean = ValueForm("boolean")
    /// A checked UUID in lower case.
    public static let uuid = ValueForm("uuid")
    /// A checked UUID in upper case.
    public static let upperCaseUUID = ValueForm("uuid", letterCase: "upper")
    /// A checked URL with a scheme.
    public static let url = ValueForm("url")
    /// The JSON that a string holds.
    public static let json = ValueForm("json")

    /// A checked URL, written as an absolute path where it begins with `base`: a scheme and an authority.
    public static func url(relativeTo base: String) -> ValueForm { ValueForm("url", base: base) }
}
