/// What a container of one path state must hold, or is given where it does not.
struct Obligations: Sendable {
    /// A member or element that must be there in the input.
    struct Requirement: Sendable {
        /// The member's input name, or the element's index.
        var name: [UInt8]
        /// Pointer from the container to the place that is required.
        var place: String
        /// JSON Pointer into the profile.
        var rule: String
    }

    /// A member that is added where no other bears its name.
    struct Addition: Sendable {
        /// The output name, unescaped.
        var name: [UInt8]
        /// Comma, quoted name, colon and value, minified.
        var text: [UInt8]
    }

    var requirements: [Requirement] = []
    var additions: [Addition] = []

    var isEmpty: Bool { requirements.isEmpty && additions.isEmpty }

    func requirement(named name: [UInt8]) -> Int? { requirements.firstIndex { $0.name == name } }

    func addition(named name: [UInt8]) -> Int? { additions.firstIndex { $0.name == name } }
}
