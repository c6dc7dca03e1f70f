import ConvertCore
import FoundationEssentials

// The example of the published design: one URL is written whole, the other as a path on the company's server.

struct Customer: Hashable, Sendable {
    var identifier: String
    var name: String
    var websiteURL: URL
    var contactURL: URL
}

extension Customer {
    static let serializer = ValueSerializer<Customer>.object(Customer.init) {
        Field("id", \.identifier, .string)
        Field("name", \.name, .string)
        Field("websiteURL", \.websiteURL, .url)
        Field("contactURL", \.contactURL, .url(relativeTo: "http://www.google.com"))
    }
}
