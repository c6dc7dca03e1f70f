import ConvertCore
import FoundationEssentials

// A Codable type that saves itself, and so do arrays and dictionaries of it.

struct Settings: Serializable, Hashable {
    var name: String
    var changed: Date
    var recent: [URL]
}
