import ConvertText

/// One operation of a JSON Patch (RFC 6902), with the ranges of its parts in the patch.
struct PatchOperation {
    enum Kind: String {
        case add, remove, replace, move, copy, test

        /// The kind that a JSON string gives, or nil.
        init?(spelling: ArraySlice<UInt8>) {
            guard let content = JSONText.content(ofString: spelling) else { return nil }
            self.init(rawValue: String(decoding: content, as: UTF8.self))
        }

        var hasValue: Bool { self == .add || self == .replace || self == .test }
        var hasSource: Bool { self == .move || self == .copy }
        /// Whether the operation shows a value of the document elsewhere, or tells whether it equals another value.
        var readsDocument: Bool { hasSource || self == .test }
    }

    /// JSON Pointer to the operation in the patch, and the offset at which it begins.
    let pointer: String
    let offset: Int
    private(set) var members: [ValidMember] = []
    private(set) var op, path, from, value: ValidMember?

    init(pointer: String, offset: Int) {
        self.pointer = pointer
        self.offset = offset
    }

    /// Adds a member; false if the operation has one of its four keys twice.
    mutating func add(_ member: ValidMember, named name: [UInt8]) -> Bool {
        members.append(member)
        return switch String(decoding: name, as: UTF8.self) {
        case "op": Self.set(&op, to: member)
        case "path": Self.set(&path, to: member)
        case "from": Self.set(&from, to: member)
        case "value": Self.set(&value, to: member)
        default: true
        }
    }

    private static func set(_ known: inout ValidMember?, to member: ValidMember) -> Bool {
        guard known == nil else { return false }
        known = member
        return true
    }
}
