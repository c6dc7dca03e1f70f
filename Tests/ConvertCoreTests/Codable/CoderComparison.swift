import ConvertCore
import FoundationEssentials
import Testing

/// Runs Foundation's coder and ours side by side and counts the comparisons.
struct CoderComparison {
    private(set) var count = 0
    /// The names of the types that were compared.
    private(set) var types: Set<String> = []

    /// The result of a coder in a comparable form: a value, or the error's kind, its coding path, and the type or key that it
    /// names.
    enum Outcome<Value: Equatable>: Equatable {
        case value(Value)
        case failure(String)
    }

    /// Decodes `json` with both coders, and encodes the result with both.
    mutating func decode<Value: Decodable & Equatable>(
        _ type: Value.Type, _ json: String, line: Int = #line,
        _ adapt: (JSONDecoder, inout ConvertDecoder) -> Void = { _, _ in }
    ) {
        count += 1
        types.insert("\(type)")
        let foundation = JSONDecoder()
        var ours = ConvertDecoder()
        adapt(foundation, &ours)
        let expected = Self.outcome { try foundation.decode(type, from: Data(json.utf8)) }
        let found = Self.outcome { try ours.decode(type, from: json) }
        #expect(found == expected, "\(type) from \(json), line \(line)")
        if case .value(let value as any Encodable) = found { compareEncoded(value, line) { _, _ in } }
    }

    /// Encodes `value` with both coders and compares the meaning of the texts.
    mutating func encode<Value: Encodable>(
        _ value: Value, line: Int = #line, _ adapt: (JSONEncoder, inout ConvertEncoder) -> Void = { _, _ in }
    ) {
        count += 1
        types.insert("\(Value.self)")
        compareEncoded(value, line, adapt)
    }

    private func compareEncoded(
        _ value: some Encodable, _ line: Int, _ adapt: (JSONEncoder, inout ConvertEncoder) -> Void
    ) {
        let foundation = JSONEncoder()
        var ours = ConvertEncoder()
        adapt(foundation, &ours)
        let expected = Self.outcome { try JSONValue(parsing: [UInt8](try foundation.encode(value))) }
        let found = Self.outcome { try JSONValue(parsing: try ours.encode(value)) }
        #expect(found == expected, "\(value), line \(line)")
    }

    /// Decodes `json` as a type alone and in each position that a value can have: six shapes in all.
    mutating func decodeEverywhere<Value: Codable & Equatable>(
        _ type: Value.Type, _ json: String, line: Int = #line
    ) {
        decode(type, json, line: line)
        decode(Value?.self, json, line: line)
        decode([Value].self, "[\(json)]", line: line)
        decode([String: Value].self, #"{"a/b":\#(json)}"#, line: line)
        decode(Shape.Wrapper<Value>.self, #"{"value":\#(json)}"#, line: line)
        decode(Shape.Wrapper<Value?>.self, #"{"value":\#(json)}"#, line: line)
    }

    private static func outcome<Value: Equatable>(_ work: () throws -> Value) -> Outcome<Value> {
        do {
            return .value(try work())
        } catch let error as DecodingError {
            return .failure(error.summary)
        } catch EncodingError.invalidValue(_, let context) {
            return .failure("invalidValue \(context.codingPath.summary)")
        } catch {
            return .failure("\(error)")
        }
    }
}
