/// The members that a container of one path state must have (`require`), or gets if they are absent (`defaults`).
package final class ObjectContract: Sendable {
    /// A member or element that must be there in the input.
    package struct Requirement: Sendable {
        /// The member's input key, or the element's index.
        package var name: [UInt8]
        /// Pointer from the container to the value that is required.
        package var pointer: String
        /// JSON Pointer into the profile, to the requirement.
        package var rule: String
    }

    /// A member that is added if no other member has its key.
    struct Addition: Sendable {
        /// The output key, unescaped.
        var name: [UInt8]
        /// Comma, quoted key, colon and value, minified; nil if that is long, and is computed when it is written.
        var text: [UInt8]?
    }

    package let requirements: [Requirement]
    let additions: [Addition]
    private let requirementIndices: [[UInt8]: Int]
    private let additionIndices: [[UInt8]: Int]

    /// - Parameters:
    ///   - requirements: no two with the same key.
    ///   - additions: no two with the same key.
    init(requirements: [Requirement], additions: [Addition]) {
        self.requirements = requirements
        self.additions = additions
        requirementIndices = Dictionary(uniqueKeysWithValues: requirements.indices.map { (requirements[$0].name, $0) })
        additionIndices = Dictionary(uniqueKeysWithValues: additions.indices.map { (additions[$0].name, $0) })
    }

    var isEmpty: Bool { requirements.isEmpty && additions.isEmpty }

    package func requirement(named name: [UInt8]) -> Int? { requirementIndices[name] }

    func addition(named name: [UInt8]) -> Int? { additionIndices[name] }
}
