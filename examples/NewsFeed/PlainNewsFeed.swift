import FoundationEssentials

// The same work as NewsFeed.swift, written by hand for Foundation's decoder alone. The line counts of the two files are compared.

struct PlainArticle: Decodable, Sendable {
    var id: String
    var headline: String
    var author: String?
    var published: Date
    var extras: AnyDecodable

    private enum CodingKeys: CodingKey {
        case id, content, published, extras
    }

    private struct Content: Decodable {
        var headline: String
        var author: Author?
    }

    private struct Author: Decodable {
        var name: String?
    }

    init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        let content = try container.decode(Content.self, forKey: .content)
        id = try container.decode(String.self, forKey: .id)
        headline = content.headline
        author = content.author?.name
        published = try container.decode(Date.self, forKey: .published)
        extras = try container.decodeIfPresent(AnyDecodable.self, forKey: .extras) ?? .null
    }
}

/// A value of unknown type. The text of its numbers, the order of its members and duplicate keys are lost.
enum AnyDecodable: Decodable, Hashable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array([AnyDecodable])
    case object([String: AnyDecodable])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let value = try? container.decode(Bool.self) {
            self = .bool(value)
        } else if let value = try? container.decode(Double.self) {
            self = .number(value)
        } else if let value = try? container.decode(String.self) {
            self = .string(value)
        } else if let value = try? container.decode([AnyDecodable].self) {
            self = .array(value)
        } else {
            self = .object(try container.decode([String: AnyDecodable].self))
        }
    }
}

enum PlainNewsFeed {
    private struct Feed: Decodable {
        var articles: [Attempt<PlainArticle>]
    }

    /// An element that can fail without the rest of its array.
    private struct Attempt<Value: Decodable>: Decodable {
        var result: Result<Value, any Error>

        init(from decoder: any Decoder) throws {
            result = Result { try Value(from: decoder) }
        }
    }

    /// The articles of a payload. `report` is called for each bad one.
    static func articles(_ payload: Data, report: (any Error) -> Void) throws -> [PlainArticle] {
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .custom(date)
        return try decoder.decode(Feed.self, from: payload).articles.compactMap {
            do {
                return try $0.result.get()
            } catch {
                report(error)
                return nil
            }
        }
    }

    /// Seconds since 1970, or ISO 8601.
    @Sendable private static func date(from decoder: any Decoder) throws -> Date {
        let container = try decoder.singleValueContainer()
        if let seconds = try? container.decode(Double.self) { return Date(timeIntervalSince1970: seconds) }
        return try Date(container.decode(String.self), strategy: .iso8601)
    }
}
