import ConvertCore
import FoundationEssentials

/// Compares every case's output for one document with Foundation's reading of the document.
struct Verification {
    let document: Document

    init(_ document: Document) { self.document = document }

    /// - Throws: `BenchmarkFailure` that names the first case with a wrong output.
    func run() throws {
        let plain = try Self.values(document.texts, keys: .useDefaultKeys)
        let camel = try Self.values(document.texts, keys: .convertFromSnakeCase)
        let renamed = camel.map(Self.renamed)

        let minified = try EngineWork(.minify, document).result()
        try expect(try values(of: minified) == plain, "minify")

        let keys = try EngineWork(.keys, document).result()
        try expect(try values(of: keys) == renamed, "keys")

        try expect(try EngineWork(.keys, document, isCold: true).result() == keys, "keys/cold")
        let plan = try EngineWork.Task.keys.plan()
        for _ in 0..<3 { try expect(try plan.convert(document.bytes, framing: document.framing) == keys, "keys/once") }
        for (name, pieceBytes) in BenchmarkCase.piecewise {
            try expect(try EngineWork(.keys, document, pieceBytes: pieceBytes).result() == keys, name)
        }

        let dates = try values(of: EngineWork(.keysAndDates, document).result())
        try expect(dates.count == renamed.count && zip(renamed, dates).allSatisfy(Self.differOnlyInDates), "keys+dates")

        try expect(try EngineWork(.idleRules, document).result() == keys, "keys+idle")
        let kept = renamed.map(Self.withoutDropped)
        let ruled = try values(of: EngineWork(.rules, document).result())
        try expect(ruled.count == kept.count && zip(kept, ruled).allSatisfy(Self.differOnlyInDates), "keys+rules")
        let pruned = try values(of: EngineWork(.prune, document).result())
        let full = kept.map(Self.pruned)
        try expect(pruned.count == full.count && zip(full, pruned).allSatisfy(Self.differOnlyInDates), "keys+prune")
        try expect(try values(of: EngineWork(.sorted, document).result()) == renamed, "keys+sort")
        try expect(try EngineWork(.last, document).result() == keys, "keys+last")

        let foundation = try FoundationWork(document, JSONValue.self).result()
        try expect(try lines(of: foundation) == camel, "foundation")
        let direct = try FoundationWork(document, DirectJSONValue.self).result()
        try expect(try lines(of: direct) == camel, "foundation/direct")
        if document.isOrderPage {
            let modelled = try FoundationWork(document, OrderPage.self).result()
            try expect(try lines(of: modelled) == camel, "foundation/model")
        }
    }

    /// The output of `keys`, compared with Foundation's.
    func keys() throws -> [UInt8] {
        let renamed = try Self.values(document.texts, keys: .convertFromSnakeCase).map(Self.renamed)
        let keys = try EngineWork(.keys, document).result()
        try expect(try values(of: keys) == renamed, "keys")
        return keys
    }

    private func expect(_ isRight: Bool, _ name: String) throws(BenchmarkFailure) {
        guard isRight else {
            throw BenchmarkFailure("\(document.name)/\(name) gives a wrong output; nothing is measured")
        }
    }

    // MARK: Reading

    private func values(of output: [UInt8]) throws -> [JSONValue] {
        try Self.values(Document(name: document.name, bytes: output).texts, keys: .useDefaultKeys)
    }

    private func lines(of output: [UInt8]) throws -> [JSONValue] {
        try Self.values(Document(name: "output.ndjson", bytes: output).texts, keys: .useDefaultKeys)
    }

    private static func values(_ texts: [Data], keys: JSONDecoder.KeyDecodingStrategy) throws -> [JSONValue] {
        let decoder = JSONDecoder()
        decoder.keyDecodingStrategy = keys
        return try texts.map { try decoder.decode(JSONValue.self, from: $0) }
    }

    // MARK: Expectations

    /// The five renames, for keys that Foundation has already converted to camel case.
    private static func renamed(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(
                Dictionary(
                    members.map { (shortNames[$0] ?? $0, renamed($1)) }, uniquingKeysWith: { first, _ in first }))
        case .array(let elements): .array(elements.map(renamed))
        case .null, .bool, .integer, .number, .string: value
        }
    }

    /// The value without the members that `keys+rules` drops; their keys are already in camel case.
    private static func withoutDropped(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members):
            .object(members.filter { !droppedNames.contains($0.key) }.mapValues(withoutDropped))
        case .array(let elements): .array(elements.map(withoutDropped))
        case .null, .bool, .integer, .number, .string: value
        }
    }

    /// The value without members that are null or empty, removed from the inside out.
    private static func pruned(_ value: JSONValue) -> JSONValue {
        switch value {
        case .object(let members): .object(members.mapValues(pruned).filter { !isLeftOut($0.value) })
        case .array(let elements): .array(elements.map(pruned))
        case .null, .bool, .integer, .number, .string: value
        }
    }

    private static func isLeftOut(_ value: JSONValue) -> Bool {
        switch value {
        case .null: true
        case .object(let members): members.isEmpty
        case .array(let elements): elements.isEmpty
        case .string(let text): text.isEmpty
        case .bool, .integer, .number: false
        }
    }

    private static let droppedNames: Set = [
        "profileImageUrlHttps", "gravatarId", "internalNote", "statusHistory", "subTopicIds",
    ]

    private static let shortNames = ["createdAt": "ca", "screenName": "sn", "idStr": "is", "name": "n", "type": "t"]

    /// Whether the values are equal except for date-times of the same instants.
    private static func differOnlyInDates(_ before: JSONValue, _ after: JSONValue) -> Bool {
        switch (before, after) {
        case (.object(let before), .object(let after)):
            before.count == after.count
                && before.allSatisfy { name, value in after[name].map { differOnlyInDates(value, $0) } ?? false }
        case (.array(let before), .array(let after)):
            before.count == after.count && zip(before, after).allSatisfy(differOnlyInDates)
        case (.string(let before), .string(let after)):
            before == after || instant(before).map { $0 == instant(after) && after.hasSuffix("Z") } ?? false
        default: before == after
        }
    }

    /// The instant of an RFC 3339 date-time, as Foundation reads it.
    private static func instant(_ text: String) -> Date? {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: text.contains("."))
        return try? Date(text, strategy: style)
    }
}
