import ConvertCore

/// `Tweets` as a type that reads its members itself.
struct DirectTweets: MemberDecodable, Encodable {
    var statuses: [Status]
    var searchMetadata: Metadata

    init(members: DecodingMembers) throws {
        statuses = try members["statuses"]
        searchMetadata = try members["searchMetadata"]
    }

    final class Status: MemberDecodable, Encodable {
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

        init(members: DecodingMembers) throws {
            createdAt = try members["createdAt"]
            id = try members["id"]
            idStr = try members["idStr"]
            text = try members["text"]
            source = try members["source"]
            truncated = try members["truncated"]
            inReplyToStatusId = try members["inReplyToStatusId"]
            inReplyToUserId = try members["inReplyToUserId"]
            inReplyToScreenName = try members["inReplyToScreenName"]
            user = try members["user"]
            retweetCount = try members["retweetCount"]
            favoriteCount = try members["favoriteCount"]
            entities = try members["entities"]
            favorited = try members["favorited"]
            retweeted = try members["retweeted"]
            lang = try members["lang"]
            retweetedStatus = try members["retweetedStatus"]
            possiblySensitive = try members["possiblySensitive"]
        }
    }

    struct User: MemberDecodable, Encodable {
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

        init(members: DecodingMembers) throws {
            id = try members["id"]
            idStr = try members["idStr"]
            name = try members["name"]
            screenName = try members["screenName"]
            location = try members["location"]
            description = try members["description"]
            url = try members["url"]
            protected = try members["protected"]
            followersCount = try members["followersCount"]
            friendsCount = try members["friendsCount"]
            listedCount = try members["listedCount"]
            createdAt = try members["createdAt"]
            favouritesCount = try members["favouritesCount"]
            utcOffset = try members["utcOffset"]
            timeZone = try members["timeZone"]
            verified = try members["verified"]
            statusesCount = try members["statusesCount"]
            lang = try members["lang"]
            profileBackgroundColor = try members["profileBackgroundColor"]
            profileImageUrl = try members["profileImageUrl"]
            profileBannerUrl = try members["profileBannerUrl"]
            defaultProfile = try members["defaultProfile"]
        }
    }

    struct Entities: MemberDecodable, Encodable {
        var hashtags: [Hashtag]
        var urls: [Link]
        var userMentions: [Mention]
        var media: [Media]?

        init(members: DecodingMembers) throws {
            hashtags = try members["hashtags"]
            urls = try members["urls"]
            userMentions = try members["userMentions"]
            media = try members["media"]
        }
    }

    struct Hashtag: MemberDecodable, Encodable {
        var text: String
        var indices: [Int]

        init(members: DecodingMembers) throws {
            text = try members["text"]
            indices = try members["indices"]
        }
    }

    struct Link: MemberDecodable, Encodable {
        var url: String
        var expandedUrl: String
        var displayUrl: String
        var indices: [Int]

        init(members: DecodingMembers) throws {
            url = try members["url"]
            expandedUrl = try members["expandedUrl"]
            displayUrl = try members["displayUrl"]
            indices = try members["indices"]
        }
    }

    struct Mention: MemberDecodable, Encodable {
        var screenName: String
        var name: String
        var id: Int
        var indices: [Int]

        init(members: DecodingMembers) throws {
            screenName = try members["screenName"]
            name = try members["name"]
            id = try members["id"]
            indices = try members["indices"]
        }
    }

    struct Media: MemberDecodable, Encodable {
        var id: Int
        var mediaUrl: String
        var type: String
        var indices: [Int]
        var sourceStatusId: Int?

        init(members: DecodingMembers) throws {
            id = try members["id"]
            mediaUrl = try members["mediaUrl"]
            type = try members["type"]
            indices = try members["indices"]
            sourceStatusId = try members["sourceStatusId"]
        }
    }

    struct Metadata: MemberDecodable, Encodable {
        var completedIn: Double
        var maxId: Int
        var query: String
        var count: Int

        init(members: DecodingMembers) throws {
            completedIn = try members["completedIn"]
            maxId = try members["maxId"]
            query = try members["query"]
            count = try members["count"]
        }
    }
}
