import ConvertText
import Synchronization

/// Checks, with the objects that were read, that the fields have the order of the initializer's parameters.
///
/// The compiler checks the types of the fields, so only fields of the same type can be exchanged. For these, the values that were read
/// are compared with those of the finished object. A field is proven once it has kept a value that no other field of
/// its type had. Once all fields are proven, the comparison stops. A value that an initializer changes proves nothing.
final class FieldOrder: Sendable {
    private let names: [String]
    private let types: [ObjectIdentifier]
    private let unproven: Mutex<Set<Int>>
    private let proven: Atomic<Bool>

    init(names: [String], types: [ObjectIdentifier]) {
        self.names = names
        self.types = types
        let shared = types.indices.filter { index in types.contains(types[index], besides: index) }
        unproven = Mutex(Set(shared))
        proven = Atomic(shared.isEmpty)
    }

    /// The error of fields that are wrong in any order: two have the same name or the same property.
    static func mistake(names: [String], properties: [AnyKeyPath?]) -> SerializationError? {
        if let name = ExactText.firstRepeated(in: names) {
            return SerializationError(expected: "a name of its own for each field", found: "\"\(name)\" twice")
        }
        for (index, property) in properties.enumerated() where property != nil {
            guard let first = properties[..<index].firstIndex(of: property) else { continue }
            return SerializationError(
                expected: "a property of its own for each field",
                found: "the same one for \"\(names[first])\" and \"\(names[index])\"")
        }
        return nil
    }

    var isProven: Bool { proven.load(ordering: .relaxed) }

    /// Whether another field has the same type.
    func sharesType(_ index: Int) -> Bool { types.contains(types[index], besides: index) }

    /// - Parameters:
    ///   - read: the values that were read, or their encoded forms, field by field.
    ///   - kept: the values of the object's properties, or their encoded forms.
    /// - Throws: an error if some properties have the values of each other's fields.
    ///
    /// An initializer may change a value. So a property with another value is not an error by itself.
    func check(read: [(any Equatable)?], kept: [(any Equatable)?]) throws(SerializationError) {
        let exchanged = exchanged(read: read, kept: kept)
        guard exchanged.isEmpty else {
            let fields = exchanged.map { "\"\(names[$0])\"" }.joined(separator: ", ")
            throw SerializationError(
                expected: "the fields in the order of the initialiser's parameters",
                found: "the values of \(fields) exchanged")
        }
        let distinct = read.indices.filter { index in
            Self.areEqual(read[index], kept[index])
                && !read.indices.contains {
                    $0 != index && types[$0] == types[index] && Self.areEqual(read[$0], read[index])
                }
        }
        unproven.withLock { unproven in
            unproven.subtract(distinct)
            if unproven.isEmpty { proven.store(true, ordering: .relaxed) }
        }
    }

    /// The fields whose properties have each other's values.
    func exchanged(read: [(any Equatable)?], kept: [(any Equatable)?]) -> [Int] {
        var exchanged = read.indices.filter { !Self.areEqual(read[$0], kept[$0]) }
        func isChanged(_ index: Int) -> Bool {
            !exchanged.contains { $0 != index && types[$0] == types[index] && Self.areEqual(kept[index], read[$0]) }
        }
        while let changed = exchanged.firstIndex(where: isChanged) { exchanged.remove(at: changed) }
        return exchanged
    }

    private static func areEqual(_ first: (any Equatable)?, _ second: (any Equatable)?) -> Bool {
        func isEqual<Value: Equatable>(_ value: Value) -> Bool { second as? Value == value }
        guard let first else { return second == nil }
        return isEqual(first)
    }
}

extension [ObjectIdentifier] {
    fileprivate func contains(_ type: ObjectIdentifier, besides index: Int) -> Bool {
        indices.contains { $0 != index && self[$0] == type }
    }
}
