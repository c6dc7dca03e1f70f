import ConvertCore
import FoundationEssentials

// Articles from deep inside a payload: key paths, values of any type and fields that may be missing. One bad article does not
// affect the others.

struct Article: Hashable, Sendable {
    var id: String
    var headline: String
    var author: String?
    var published: Date
    var extras: JSONValue
}

enum NewsFeed {
    static let profile = Result { () throws(ProfileError) in
        try Profile(
            .at(
                "/articles/*",
                .move("/content/headline", to: "/headline"),
                .move("/content/author/name", to: "/author"),
                .dates(at: "/published", from: [.auto], to: .rfc3339)))
    }

    static let article = ValueSerializer<Article>.object(Article.init) {
        Field("id", \.id, .string)
        Field("headline", \.headline, .string)
        Field("author", \.author, .optional(.string))
        Field("published", \.published, .date())
        Field("extras", \.extras, ValueSerializer.json.whenAbsent(.null))
    }

    /// The articles of a payload. `report` is called for each bad one, with the expected and the found kind and the path.
    static func articles(
        _ payload: [UInt8], report: @escaping @Sendable (SerializationError) -> Void
    ) throws -> [Article] {
        let feed = ValueSerializer<[Article]>.object {
            $0
        } fields: {
            Field("articles", { $0 }, .array(of: article, skippingBad: report))
        }
        return try feed.value(fromJSON: profile.get().compile(.forward).convert(payload))
    }
}
