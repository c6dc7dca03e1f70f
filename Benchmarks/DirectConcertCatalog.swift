import ConvertCore

/// `ConcertCatalog` as a type that reads its members itself.
struct DirectConcertCatalog: MemberDecodable, Encodable {
    var areaNames: [String: String]
    var audienceSubCategoryNames: [String: String]
    var events: [String: Event]
    var performances: [Performance]
    var seatCategoryNames: [String: String]
    var subTopicNames: [String: String]
    var topicNames: [String: String]
    var topicSubTopics: [String: [Int]]
    var venueNames: [String: String]

    init(members: DecodingMembers) throws {
        areaNames = try members["areaNames"]
        audienceSubCategoryNames = try members["audienceSubCategoryNames"]
        events = try members["events"]
        performances = try members["performances"]
        seatCategoryNames = try members["seatCategoryNames"]
        subTopicNames = try members["subTopicNames"]
        topicNames = try members["topicNames"]
        topicSubTopics = try members["topicSubTopics"]
        venueNames = try members["venueNames"]
    }

    struct Event: MemberDecodable, Encodable {
        var description: String?
        var id: Int
        var logo: String?
        var name: String
        var subTopicIds: [Int]
        var subtitle: String?
        var topicIds: [Int]

        init(members: DecodingMembers) throws {
            description = try members["description"]
            id = try members["id"]
            logo = try members["logo"]
            name = try members["name"]
            subTopicIds = try members["subTopicIds"]
            subtitle = try members["subtitle"]
            topicIds = try members["topicIds"]
        }
    }

    struct Performance: MemberDecodable, Encodable {
        var eventId: Int
        var id: Int
        var logo: String?
        var name: String?
        var prices: [Price]
        var seatCategories: [SeatCategory]
        var start: Int
        var venueCode: String

        init(members: DecodingMembers) throws {
            eventId = try members["eventId"]
            id = try members["id"]
            logo = try members["logo"]
            name = try members["name"]
            prices = try members["prices"]
            seatCategories = try members["seatCategories"]
            start = try members["start"]
            venueCode = try members["venueCode"]
        }
    }

    struct Price: MemberDecodable, Encodable {
        var amount: Int
        var audienceSubCategoryId: Int
        var seatCategoryId: Int

        init(members: DecodingMembers) throws {
            amount = try members["amount"]
            audienceSubCategoryId = try members["audienceSubCategoryId"]
            seatCategoryId = try members["seatCategoryId"]
        }
    }

    struct SeatCategory: MemberDecodable, Encodable {
        var areas: [Area]
        var seatCategoryId: Int

        init(members: DecodingMembers) throws {
            areas = try members["areas"]
            seatCategoryId = try members["seatCategoryId"]
        }
    }

    struct Area: MemberDecodable, Encodable {
        var areaId: Int
        var blockIds: [Int]

        init(members: DecodingMembers) throws {
            areaId = try members["areaId"]
            blockIds = try members["blockIds"]
        }
    }
}
