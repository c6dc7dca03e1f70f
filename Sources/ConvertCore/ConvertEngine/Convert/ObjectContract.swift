/// What a container of one path state must hold, or is given where it does not.
package final class ObjectContract: Sendable {
    /// A member or element that must be there in the input.
    package struct Requirement: Sendable {
        /// The member's input name, or the element's index.
        package var name: [UInt8]
        /// Pointer from the container to the place that is required.
        package var place: String
        /// JSON Pointer into the profile.
        package var rule: String
    }

    /// A member that is added where no other has its name.
    struct Addition: Sendable {
        /// The output name, unescaped.
        var name: [UInt8]
        /// Comma, quoted name, colon and value, minified; nil where that is long, and is spelled when it is written.
        var text: [UInt8]?
    }

    package let requirements: [Requirement]
    let additions: [Addition]
    private let requirementPlaces: [[UInt8]: Int]
    private let additionPlaces: [[UInt8]: Int]

    /// - Parameters:
    ///   - requirements: no two of one name.
    ///   - additions: no two of one name.
    init(requirements: [Requirement], additions: [Addition]) {
        self.requirements = requirements
        self.additions = additions
        requirementPlaces = Dictionary(uniqueKeysWithValues: requirements.indices.map { (requirements[$0].name, $0) })
        additionPlaces = Dictionary(uniqueKeysWithValues: additions.indices.map { (additions[$0].name, $0) })
    }

    var isEmpty: Bool { requirements.isEmpty && additions.isEmpty }

    func requirement(named name: [UInt8]) -> Int? { requirementPlaces[name] }

    func addition(named name: [UInt8]) -> Int? { additionPlaces[name] }
}
