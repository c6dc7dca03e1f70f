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
}

/// A value in the payloads of one side.
struct DescribedPath: Hashable {
    let side: DescriptionSide
    let path: PlanPaths.Path

    init(_ side: DescriptionSide, _ path: PlanPaths.Path) {
        self.side = side
        self.path = path
    }

    static func == (left: DescribedPath, right: DescribedPath) -> Bool {
        left.side === right.side && left.path == right.path
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(side.kind)
        hasher.combine(path)
    }
}
