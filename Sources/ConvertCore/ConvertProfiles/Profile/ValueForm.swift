/// The form in which a `values` rule writes a value: a profile's `as` and the members beside it.
public struct ValueForm: Sendable, Hashable {
    let name: String
    /// The members that a profile writes beside `as`.
    let details: [RuleText]
    /// Whether its keys belong to the document. If the rule is put below a pointer, that pointer becomes the form's `of`.
    private(set) var beginsAtDocument = false

    private init(_ name: String, _ details: RuleText?...) {
        self.name = name
        self.details = details.compactMap { $0 }
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
    public static let upperCaseUUID = ValueForm("uuid", RuleText("case", RuleText("upper")))
    /// A checked URL with a scheme.
    public static let url = ValueForm("url")
    /// The JSON in a string.
    public static let json = ValueForm("json")

    /// A text that hides the value, of any type.
    public static let mask = ValueForm("mask")

    /// The same text for any value.
    public static func mask(text: String) -> ValueForm { ValueForm("mask", RuleText("text", RuleText(text))) }

    /// The first and last characters of a string or number, with `character` for each of the others. If the value has
    /// no others, all characters are hidden. Booleans, objects and arrays become `text`, or `***` if it is nil.
    public static func mask(
        keepingFirst first: Int = 0, last: Int = 0, character: Unicode.Scalar = "*", text: String? = nil
    ) -> ValueForm {
        let ends = RuleText(object: ["first": RuleText(first), "last": RuleText(last)])
        let (keep, char) = (RuleText("keep", ends), RuleText("char", RuleText(String(Character(character)))))
        return ValueForm("mask", keep, char, text.map { RuleText("text", RuleText($0)) })
    }

    /// The first bytes of the value's HMAC-SHA-256 in base64url, with a key from an environment variable.
    public static func hash(keyVariable name: String, bytes: Int? = nil) -> ValueForm { hash("env", name, bytes) }

    /// The same with a key from a file.
    public static func hash(keyFile path: String, bytes: Int? = nil) -> ValueForm { hash("file", path, bytes) }

    private static func hash(_ source: String, _ name: String, _ bytes: Int?) -> ValueForm {
        let key = RuleText("key", RuleText(braced: [RuleText(source, RuleText(name))]))
        return ValueForm("hash", key, bytes.map { RuleText("bytes", RuleText($0)) })
    }

    /// A key, which is converted like a key of the object at the pointer `object`, or of the document.
    public static func name(of object: String? = nil) -> ValueForm { names("name", object) }

    /// Keys and indices with a separator between them, `.` if it is nil.
    public static func path(of object: String? = nil, separator: String? = nil) -> ValueForm {
        names("path", object, separator)
    }

    /// Paths with commas between them, each with a sign or without one.
    public static func names(of object: String? = nil, separator: String? = nil) -> ValueForm {
        names("names", object, separator)
    }

    /// A JSON Pointer from the document.
    public static let pointer = ValueForm("pointer")

    private static func names(_ name: String, _ object: String?, _ separator: String? = nil) -> ValueForm {
        let of = object.map { RuleText("of", RuleText(selector: $0)) }
        let between = separator.map { RuleText("separator", RuleText($0)) }
        var form = ValueForm(name, of, between)
        form.beginsAtDocument = object == nil
        return form
    }

    /// A checked URL. It is written as an absolute path if it begins with `base`: a scheme and an authority.
    public static func url(relativeTo base: String) -> ValueForm {
        ValueForm("url", RuleText("relativeTo", RuleText(base)))
    }
}
