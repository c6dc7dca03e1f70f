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
    var places: PlanPlaces

    init(_ kind: Kind, _ plan: Plan) {
        self.kind = kind
        self.plan = plan
        places = PlanPlaces(plan)
    }

    /// The pointer to a rule for values in the profile.
    func pointer(ofRule rule: Int) -> String { plan.rules[rule].pointer }
}

/// A value in the payloads of one side. Without a side, it is never converted.
struct DescribedPlace: Hashable {
    let side: DescriptionSide?
    let place: PlanPlaces.Place?

    init(_ side: DescriptionSide, _ place: PlanPlaces.Place) {
        self.side = side
        self.place = place
    }

    private init() { (side, place) = (nil, nil) }

    /// The place of all values that are not converted.
    static var unchanged: DescribedPlace { DescribedPlace() }

    static func == (left: DescribedPlace, right: DescribedPlace) -> Bool {
        left.side === right.side && left.place == right.place
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(side?.kind)
        hasher.combine(place)
    }

    /// Copies of schemas for responses come before those for requests, and these before unchanged ones.
    var precedence: Int { side?.kind.rawValue ?? 2 }
}
