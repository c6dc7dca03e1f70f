@testable import ConvertCodable
@testable import ConvertEngine
@testable import ConvertProfiles

/// JSON Patch (RFC 6902) and JSON Merge Patch (RFC 7396) on trees: slow, simple and independent of the engine.
enum PatchedDocument {
    struct Failure: Error {}

    /// The document after all operations. It throws the failure of the first operation that cannot be applied.
    static func applying(_ patch: JSONValue, to document: JSONValue) throws -> JSONValue {
        guard let operations = patch.array else { throw Failure() }
        return try operations.reduce(document) { try apply($1, to: $0) }
    }

    /// RFC 7396, section 2, implemented literally.
    static func merging(_ patch: JSONValue, into target: JSONValue?) -> JSONValue {
        guard case .object(let changes) = patch else { return patch }
        var result = target?.object ?? JSONObject()
        for member in changes {
            let merged = merging(member.value, into: result[member.name])
            result[member.name] = member.value.isNull ? Optional.none : merged
        }
        return .object(result)
    }

    private static func apply(_ operation: JSONValue, to document: JSONValue) throws -> JSONValue {
        guard let object = operation.object, object.duplicateNames.isEmpty else { throw Failure() }
        let path = try pointer(object["path"])
        switch object["op"]?.string {
        case "add": return try adding(try value(of: object), at: path, to: document)
        case "remove": return try removing(path, from: document)
        case "replace": return try replacing(path, of: document, by: try value(of: object))
        case "move":
            let from = try pointer(object["from"])
            let moved = try found(from, in: document)
            return try adding(moved, at: path, to: path == from ? document : removing(from, from: document))
        case "copy": return try adding(try found(try pointer(object["from"]), in: document), at: path, to: document)
        case "test":
            guard isSame(try found(path, in: document), try value(of: object)) else { throw Failure() }
            return document
        default: throw Failure()
        }
    }

    // MARK: Parts of an operation

    private static func value(of operation: JSONObject) throws -> JSONValue {
        guard let value = operation["value"] else { throw Failure() }
        return value
    }

    private static func pointer(_ value: JSONValue?) throws -> [String] {
        guard let text = value?.string else { throw Failure() }
        guard !text.isEmpty else { return [] }
        guard text.utf8.first == UInt8(ascii: "/") else { throw Failure() }
        return text.split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
            String($0).replacing("~1", with: "/").replacing("~0", with: "~")
        }
    }

    // MARK: Operations

    private static func adding(_ value: JSONValue, at path: [String], to document: JSONValue) throws -> JSONValue {
        guard let last = path.last else { return value }
        return try changing(path.dropLast(), of: document) { parent in
            switch parent {
            case .object(var object):
                object[last] = value
                return .object(object)
            case .array(var elements):
                elements.insert(value, at: last == "-" ? elements.count : try index(last, upTo: elements.count))
                return .array(elements)
            default: throw Failure()
            }
        }
    }

    private static func removing(_ path: [String], from document: JSONValue) throws -> JSONValue {
        guard let last = path.last else { return .null }
        return try changing(path.dropLast(), of: document) { parent in
            switch parent {
            case .object(var object):
                guard object[last] != nil else { throw Failure() }
                object[last] = nil
                return .object(object)
            case .array(var elements):
                elements.remove(at: try index(last, upTo: elements.count - 1))
                return .array(elements)
            default: throw Failure()
            }
        }
    }

    private static func replacing(_ path: [String], of document: JSONValue, by value: JSONValue) throws -> JSONValue {
        try changing(path[...], of: document) { _ in value }
    }

    private static func found(_ path: [String], in document: JSONValue) throws -> JSONValue {
        var found = document
        _ = try changing(path[...], of: document) { value in
            found = value
            return value
        }
        return found
    }

    private static func changing(
        _ path: ArraySlice<String>, of value: JSONValue, _ change: (JSONValue) throws -> JSONValue
    ) throws -> JSONValue {
        guard let first = path.first else { return try change(value) }
        switch value {
        case .object(var object):
            guard let member = object[first] else { throw Failure() }
            object[first] = try changing(path.dropFirst(), of: member, change)
            return .object(object)
        case .array(var elements):
            let index = try index(first, upTo: elements.count - 1)
            elements[index] = try changing(path.dropFirst(), of: elements[index], change)
            return .array(elements)
        default: throw Failure()
        }
    }

    private static func index(_ text: String, upTo last: Int) throws -> Int {
        guard let index = Int(text), String(index) == text, index >= 0, index <= last else { throw Failure() }
        return index
    }

    /// Numbers are equal if their values are (RFC 6902, section 4.6).
    static func isSame(_ left: JSONValue, _ right: JSONValue) -> Bool {
        switch (left, right) {
        case (.number(let left), .number(let right)): left.double == right.double
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { isSame($0, $1) }
        case (.object(let left), .object(let right)):
            left.count == right.count
                && left.allSatisfy { member in right[member.name].map { isSame(member.value, $0) } ?? false }
        default: left == right
        }
    }
}
