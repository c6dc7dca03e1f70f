/// A set of field names, compared without case.
public struct FieldNames: Sendable {
    /// In lower case, by their length: most names that are looked up have no candidate at all.
    private var byLength: [[[UInt8]]] = []

    public init(_ names: [String] = []) {
        for name in names { insert(name) }
    }

    public var isEmpty: Bool { byLength.isEmpty }

    public mutating func insert(_ name: String) {
        let bytes = name.utf8.map(ASCII.lowercased)
        while byLength.count <= bytes.count { byLength.append([]) }
        if !byLength[bytes.count].contains(bytes) { byLength[bytes.count].append(bytes) }
    }

    public func contains(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count < byLength.count else { return false }
        for candidate in byLength[name.count] where name.elementsEqual(candidate, by: { ASCII.lowercased($0) == $1 }) {
            return true
        }
        return false
    }
}
