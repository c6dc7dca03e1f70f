import ConvertCore
import FoundationEssentials

// A Codable type that saves itself, as do arrays and dictionaries of it.

struct Settings: Serializable, Hashable {
    var name: String
    var changed: Date
    var recent: [URL]
}
