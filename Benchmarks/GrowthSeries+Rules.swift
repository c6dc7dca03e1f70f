import ConvertCore

/// Profiles with more and more rules, and documents that grow with them. Lookups of rules become more frequent, with and without a
/// match.
extension GrowthSeries {
    /// The number of names or elements for each rule.
    private static let share = 10

    static func namedIndices() throws -> GrowthSeries {
        try series("named indices, left out") { count in
            let elements = { (count: Int) in "{\"items\":[\(list(count) { _ in "7" })]}" }
            return (
                "{\"drop\":[\(list(count) { "\"/items/\($0)\"" })]}", .forward, elements(share * count),
                elements((share - 1) * count)
            )
        }
    }

    static func movesUndone() throws -> GrowthSeries {
        try series("moves, undone") { count in
            let others = list(share * count) { "\"x\($0)\":0" }
            return (
                "{\"move\":{\(list(count) { "\"/a\($0)\":\"/m/b\($0)\"" })}}", .inverse,
                "{\(others),\"m\":{\(list(count) { "\"b\($0)\":1" })}}", "{\(others),\(list(count) { "\"a\($0)\":1" })}"
            )
        }
    }

    static func movesGuarded() throws -> GrowthSeries {
        // With `roundTrip`, more than 1,000 are refused.
        try series("moves under roundTrip, beside other names", counts: [100, 300, 900]) { count in
            let others = "{\(list(share * count) { "\"x\($0)\":0" })}"
            let moves = list(count) { "\"/m/a\($0)\":\"/b\($0)\"" }
            return ("{\"move\":{\(moves)},\"roundTrip\":\"required\"}", .forward, others, others)
        }
    }

    static func renamesUndone() throws -> GrowthSeries {
        try series("renames of paths, undone") { count in
            let others = list((share - 1) * count) { "\"x\($0)\":0" }
            return (
                "{\"rename\":{\(list(count) { "\"/a\($0)\":\"b\($0)\"" })}}", .inverse,
                "{\(list(count) { "\"b\($0)\":1" }),\(others)}", "{\(list(count) { "\"a\($0)\":1" }),\(others)}"
            )
        }
    }

    static func requirements() throws -> GrowthSeries {
        try series("requirements of records that lack them") { count in
            (
                "{\"require\":[\(list(count) { "\"/*/k\($0)\"" })],\"records\":{\"at\":\"/*\",\"onError\":\"skip\"}}",
                .forward, "[\(list(share * count) { _ in "{\"k\":0}" })]", "[]"
            )
        }
    }

    static func defaults() throws -> GrowthSeries {
        try series("defaults that are there") { count in
            let members = list(share * count) { "\"k\($0)\":0" }
            return ("{\"defaults\":{\(list(count) { "\"/k\($0)\":1" })}}", .forward, "{\(members)}", "{\(members)}")
        }
    }

    /// One name in many spellings, with rules below it.
    static func spellings() throws -> GrowthSeries {
        let name = Array("abcdefghijklmnopq".utf8)
        return try series("spellings of a name") { count in
            let members = list(share * count) { number in
                let letters = name.enumerated().map { place, letter in
                    number >> place & 1 == 0 ? "\\u00\(String(letter, radix: 16))" : String(UnicodeScalar(letter))
                }
                return "\"\(letters.joined())\":0"
            }
            let paths = list(count) { "\"/\(String(decoding: name, as: UTF8.self))/k\($0)\"" }
            let profile = "{\"drop\":[\(paths)],\"on\":{\"duplicateKey\":\"keep\"}}"
            return (profile, .forward, "{\(members)}", "{\(members)}")
        }
    }

    /// A comparison, not a growth: JSON texts in strings beside strings that a rule only looks at.
    static func embeddedTexts() throws -> GrowthSeries {
        let steps = try [("{}", "{}"), (#"{\"id\":12345,\"name\":\"text\"}"#, #"{"id":12345,"name":"text"}"#)]
            .flatMap { spelling, text in
                try ["url", "json"].map { form in
                    let profile = "{\"values\":{\"at\":\"j\",\"as\":\"\(form)\"},\"on\":{\"badValue\":\"keep\"}}"
                    let (given, made) = ("\"\(spelling)\"", form == "json" ? text : "\"\(spelling)\"")
                    return try step(
                        "\(text) as \(form)", profile, .forward, "[\(list(20_000) { _ in "{\"j\":\(given)}" })]",
                        "[\(list(20_000) { _ in "{\"j\":\(made)}" })]")
                }
            }
        return GrowthSeries(title: "JSON texts in strings", steps: steps)
    }

    private static func series(
        _ title: String, counts: [Int] = [1_000, 3_000, 9_000],
        _ make: (Int) -> (profile: String, direction: Profile.Direction, given: String, expected: String)
    ) throws -> GrowthSeries {
        let steps = try counts.map { count in
            let made = make(count)
            return try step("\(count) rules", made.profile, made.direction, made.given, made.expected)
        }
        return GrowthSeries(title: title, steps: steps)
    }

    private static func step(
        _ name: String, _ profile: String, _ direction: Profile.Direction, _ given: String, _ expected: String
    ) throws -> Step {
        Step(
            document: Document(name: name, bytes: Array(given.utf8)), expected: Array(expected.utf8),
            plan: try Profile(parsing: Array(profile.utf8)).compile(direction))
    }

    private static func list(_ count: Int, _ text: (Int) -> String) -> String {
        (0..<count).map(text).joined(separator: ",")
    }
}
