/// The model of `twitter.json`, a page of search results: many members, optionals, and tweets inside tweets.
struct Tweets: Codable, Equatable {
    var statuses: [Status]
    var searchMetadata: Metadata

    final class Status: Codable, Equatable {
        var createdAt: String
        var id: Int
        var idStr: String
        var text: String
        var source: String
        var truncated: Bool
        var inReplyToStatusId: Int?
        var inReplyToUserId: Int?
        var inReplyToScreenName: String?
        var user: User
        var retweetCount: Int
        var favoriteCount: Int
        var entities: Entities
        var favorited: Bool
        var retweeted: Bool
        var lang: String
        var retweetedStatus: Status?
        var possiblySensitive: Bool?

        static func == (left: Status, right: Status) -> Bool {
            left.id == right.id && left.idStr == right.idStr && left.text == right.text && left.user == right.user
                && left.entities == right.entities && left.retweetedStatus == right.retweetedStatus
                && left.createdAt == right.createdAt && left.source == right.source && left.lang == right.lang
                && left.inReplyToStatusId == right.inReplyToStatusId && left.retweetCount == right.retweetCount
        }
    }

    struct User: Codable, Equatable {
        var id: Int
        var idStr: String
        var name: String
        var screenName: String
        var location: String
        var description: String
        var url: String?
        var protected: Bool
        var followersCount: Int
        var friendsCount: Int
        var listedCount: Int
        var createdAt: String
        var favouritesCount: Int
        var utcOffset: Int?
        var timeZone: String?
        var verified: Bool
        var statusesCount: Int
        var lang: String
        var profileBackgroundColor: String
        var profileImageUrl: String
        var profileBannerUrl: String?
        var defaultProfile: Bool
    }

    struct Entities: Codable, Equatable {
        var hashtags: [Hashtag]
        var urls: [Link]
        var userMentions: [Mention]
        var media: [Media]?
    }

    struct Hashtag: Codable, Equatable {
        var text: String
        var indices: [Int]
    }

    struct Link: Codable, Equatable {
        var url: String
        var expandedUrl: String
        var displayUrl: String
        var indices: [Int]
    }

    struct Mention: Codable, Equatable {
        var screenName: String
        var name: String
        var id: Int
        var indices: [Int]
    }

    struct Media: Codable, Equatable {
        var id: Int
        var mediaUrl: String
        var type: String
        var indices: [Int]
        var sourceStatusId: Int?
    }

    struct Metadata: Codable, Equatable {
        var completedIn: Double
        var maxId: Int
        var query: String
        var count: Int
    }
}
