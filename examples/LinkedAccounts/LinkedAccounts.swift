import ConvertCore
import FoundationEssentials

// Serializers composed property by property: URLs that are relative in the file, UUIDs, typed arrays and ordered members. They
// write JSON and property lists.

struct Account: Hashable, Sendable {
    var id: UUID
    var name: String
    var home: URL
    var picture: URL
    var friends: [UUID]
    var seen: Date?
    var links: [String: URL]
}

enum LinkedAccounts {
    static let serializer = ValueSerializer<Account>.object(Account.init) {
        Field("id", \.id, .uuid)
        Field("name", \.name, .string)
        Field("contactUrl", \.home, .url(relativeTo: "http://www.google.com"))
        Field("picture", \.picture, .url)
        Field("friends", \.friends, .array(of: .uuid))
        Field("seen", \.seen, .optional(.date(.epochSeconds)))
        Field("links", \.links, .dictionary(of: .url(relativeTo: "http://www.google.com")))
    }
}
