/// The hand-written model of the 7,944-byte payload: the case that is fairest to Foundation.
///
/// The shape is known, so the decoder looks up each member once and never tries several kinds of value.
struct OrderPage: Codable, Equatable {
    var requestId: String
    var generatedAt: String
    var resultCount: Int
    var data: [Order]
    var trailingNote: String

    struct Order: Codable, Equatable {
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
    }

    struct Customer: Codable, Equatable {
        var firstName: String
        var name: String
        var emailAddress: String
        var dateOfBirth: String
        var billingAddress: Address
    }

    struct Address: Codable, Equatable {
        var streetName: String
        var postalCode: String
        var city: String
        var geoLocation: Location
    }

    struct Location: Codable, Equatable {
        var lat: Double
        var lon: Double
    }

    struct LineItem: Codable, Equatable {
        var productId: Int
        var unitPrice: Double
        var quantity: Int
        @Nullable var discountRate: Double?
        var productName: String
    }

    struct StatusChange: Codable, Equatable {
        var statusCode: Int
        var changedAt: String
    }
}

/// A member that is present as null when it has no value; synthesised `encode(to:)` leaves plain optionals out.
@propertyWrapper
struct Nullable<Value: Codable & Equatable>: Codable, Equatable {
    var wrappedValue: Value?

    init(wrappedValue: Value?) { self.wrappedValue = wrappedValue }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        wrappedValue = container.decodeNil() ? nil : try container.decode(Value.self)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(wrappedValue)
    }
}
