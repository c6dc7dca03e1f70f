/// An array or object that is being written. A stack of them, innermost last, takes the place of recursion.
struct OpenContainer {
    var children: [SerializedValue]
    /// The keys of an object's children; nil for an array.
    var names: [String]?
    /// The index of the next child.
    var next = 0
}

extension [OpenContainer] {
    /// The error of the child that is being written, with the pointer to it.
    func error(expected: String, found: String) -> SerializationError {
        reversed().reduce(SerializationError(expected: expected, found: found)) { error, container in
            let index = container.next - 1
            return error.nested(in: container.names?[index] ?? String(index))
        }
    }
}
