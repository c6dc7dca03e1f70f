/// One fault of a profile document.
public struct ProfileFault: Error, Sendable, Hashable {
    /// RFC 6901 JSON Pointer into the profile.
    public var pointer: String
    /// Line of the faulty member or value, from 1.
    public var line: Int
    /// Column in bytes, from 1.
    public var column: Int
    public var message: String
    /// What to write instead, where that can be said.
    public var hint: String?

    public init(pointer: String, line: Int, column: Int, message: String, hint: String? = nil) {
        self.pointer = pointer
        self.line = line
        self.column = column
        self.message = message
        self.hint = hint
    }
}

/// Every fault of one profile document, in the order of the document.
public struct ProfileError: Error, Sendable, Hashable {
    public var faults: [ProfileFault]

    public init(faults: [ProfileFault]) {
        self.faults = faults
    }
}
