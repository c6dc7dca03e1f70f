import ConvertCore

/// `OrderPage` as a type that reads its members itself.
struct DirectOrderPage: MemberDecodable, Encodable {
    var requestId: String
    var generatedAt: String
    var resultCount: Int
    var data: [Order]
    var trailingNote: String

    init(members: DecodingMembers) throws {
        requestId = try members["requestId"]
        generatedAt = try members["generatedAt"]
        resultCount = try members["resultCount"]
        data = try members["data"]
        trailingNote = try members["trailingNote"]
    }

    struct Order: MemberDecodable, Encodable {
        var id: Int
        var idStr: String
        var type: String
        var createdAt: String
        var updatedAt: String
        var isActive: Bool
        var screenName: String
        var customerDetails: Customer
        var lineItems: [LineItem]
        var statusHistory: [StatusChange]
        var profileImageUrl: String
        @Nullable var internalNote: String?
        var tagList: [String]

        init(members: DecodingMembers) throws {
            id = try members["id"]
            idStr = try members["idStr"]
            type = try members["type"]
            createdAt = try members["createdAt"]
            updatedAt = try members["updatedAt"]
            isActive = try members["isActive"]
            screenName = try members["screenName"]
            customerDetails = try members["customerDetails"]
            lineItems = try members["lineItems"]
            statusHistory = try members["statusHistory"]
            profileImageUrl = try members["profileImageUrl"]
            internalNote = try members["internalNote"]
            tagList = try members["tagList"]
        }
    }

    struct Customer: MemberDecodable, Encodable {
        var firstName: String
        var name: String
        var emailAddress: String
        var dateOfBirth: String
        var billingAddress: Address

        init(members: DecodingMembers) throws {
            firstName = try members["firstName"]
            name = try members["name"]
            emailAddress = try members["emailAddress"]
            dateOfBirth = try members["dateOfBirth"]
            billingAddress = try members["billingAddress"]
        }
    }

    struct Address: MemberDecodable, Encodable {
        var streetName: String
        var postalCode: String
        var city: String
        var geoLocation: Location

        init(members: DecodingMembers) throws {
            streetName = try members["streetName"]
            postalCode = try members["postalCode"]
            city = try members["city"]
            geoLocation = try members["geoLocation"]
        }
    }

    struct Location: MemberDecodable, Encodable {
        var lat: Double
        var lon: Double

        init(members: DecodingMembers) throws {
            lat = try members["lat"]
            lon = try members["lon"]
        }
    }

    struct LineItem: MemberDecodable, Encodable {
        var productId: Int
        var unitPrice: Double
        var quantity: Int
        @Nullable var discountRate: Double?
        var productName: String

        init(members: DecodingMembers) throws {
            productId = try members["productId"]
            unitPrice = try members["unitPrice"]
            quantity = try members["quantity"]
            discountRate = try members["discountRate"]
            productName = try members["productName"]
        }
    }

    struct StatusChange: MemberDecodable, Encodable {
        var statusCode: Int
        var changedAt: String

        init(members: DecodingMembers) throws {
            statusCode = try members["statusCode"]
            changedAt = try members["changedAt"]
        }
    }
}
