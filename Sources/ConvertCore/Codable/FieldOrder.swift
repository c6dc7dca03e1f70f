import Synchronization

/// Whether the fields of an object are in the order of its initialiser's parameters, as far as the objects read have shown it.
///
/// The compiler sees the types of the fields, so only fields of one type can be exchanged. For these, the values that were read
/// are compared with those of the finished object. The order is proven once each field has kept a value that no other field of
/// its type had. Then nothing is compared any more.
final class FieldOrder: Sendable {
    private let names: [String]
    private let types: [ObjectIdentifier]
    private let doubtful: Mutex<Set<Int>>
    private let proven: Atomic<Bool>

    init(names: [String], types: [ObjectIdentifier]) {
        self.names = names
        self.types = types
        let shared = types.indices.filter { index in types.contains(types[index], besides: index) }
        doubtful = Mutex(Set(shared))
        proven = Atomic(shared.isEmpty)
    }

    var isProven: Bool { proven.load(ordering: .relaxed) }

    /// Whether a field has its type in common with another.
    func isInDoubt(_ index: Int) -> Bool { types.contains(types[index], besides: index) }

    /// - Parameters:
    ///   - read: the forms of the values that were read, field by field.
    ///   - kept: the forms of the values that the object's properties have.
    /// - Throws: when the properties have the values of each other's fields.
    ///
    /// An initialiser may change a value. So it is a mistake only when all fields that do not have their values have those of
    /// each other.
    func check(read: [SerializedValue?], kept: [SerializedValue?]) throws(SerializationError) {
        let misplaced = read.indices.filter { read[$0] != kept[$0] }
        let areExchanged = misplaced.allSatisfy { index in
            misplaced.contains { $0 != index && types[$0] == types[index] && kept[index] == read[$0] }
        }
        guard misplaced.isEmpty || !areExchanged else {
            let fields = misplaced.map { "\"\(names[$0])\"" }.joined(separator: ", ")
            throw SerializationError(
                expected: "the fields in the order of the initialiser's parameters",
                found: "the values of \(fields) exchanged")
        }
        let told = read.indices.filter { index in
            read[index] == kept[index]
                && !read.indices.contains { $0 != index && types[$0] == types[index] && read[$0] == read[index] }
        }
        doubtful.withLock { doubtful in
            doubtful.subtract(told)
            if doubtful.isEmpty { proven.store(true, ordering: .relaxed) }
        }
    }
}

extension [ObjectIdentifier] {
    fileprivate func contains(_ type: ObjectIdentifier, besides index: Int) -> Bool {
        indices.contains { $0 != index && self[$0] == type }
    }
}
