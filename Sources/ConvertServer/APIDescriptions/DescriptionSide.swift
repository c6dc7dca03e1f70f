import ConvertEngine

/// One direction of traffic that a description describes, with the plan that leads from the described payloads to those
/// that clients see.
final class DescriptionSide {
    enum Kind: Int, Sendable {
        /// What clients receive. A schema becomes one of everything that the plan makes of its instances.
        case response
        /// What clients send. A schema becomes one of everything from which the gateway makes its instances.
        case request
    }

    let kind: Kind
    let plan: Plan
    var paths: PlanPaths

    init(_ kind: Kind, _ plan: Plan) {
        self.kind = kind
        self.plan = plan
        paths = PlanPaths(plan)
    }

    var document: DescribedPath { DescribedPath(side: self, path: paths.document) }
}

/// A value in the payloads of one side.
@dynamicMemberLookup
struct DescribedPath: Hashable {
    typealias Path = PlanPaths.Path

    let side: DescriptionSide
    let path: Path

    subscript<Property>(dynamicMember property: KeyPath<Path, Property>) -> Property {
        path[keyPath: property]
    }

    /// Another value of the same side.
    func at(_ path: Path) -> DescribedPath { DescribedPath(side: side, path: path) }

    var plan: Plan { side.plan }
    var elements: (others: PlanPaths.Member, named: [(index: Int, element: PlanPaths.Member)]) {
        side.paths.elements(of: path)
    }
    var allElements: [PlanPaths.Member] {
        let (others, named) = elements
        return [others] + named.map(\.element)
    }
    var additions: [(name: [UInt8], member: [UInt8])] { side.paths.additions(to: path) }
    var keepsKeys: Bool { side.paths.keepsKeys(of: path) }

    func member(_ name: [UInt8]) -> PlanPaths.Member { side.paths.member(name, of: path) }

    func others(without known: Set<[UInt8]>) -> [(which: PlanPaths.Others, member: PlanPaths.Member)] {
        side.paths.others(of: path, without: known)
    }

    static func == (left: DescribedPath, right: DescribedPath) -> Bool {
        left.side === right.side && left.path == right.path
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(side.kind)
        hasher.combine(path)
    }
}
