import HTTPSemantics

/// Bodies that may pass unchanged on a route that withholds data: a media type, or all of one kind, such as `image/*`.
struct PassedType: Sendable, Hashable {
    /// In lower case.
    let type: String
    /// In lower case; `*` means every one.
    let subtype: String
    /// The answers that they may come with; nil means all.
    var statuses: StatusSet?

    /// Reads a media type without parameters; nil for anything else, `*/*` and what is converted included.
    init?(_ text: String) {
        guard let type = MediaType(text), type.parameters.isEmpty, !text.contains(";"), type.type != "*",
            BodyType.framing(of: type.essence) == nil
        else {
            return nil
        }
        self.type = type.type
        subtype = type.subtype
    }

    var essence: String { "\(type)/\(subtype)" }

    /// Whether a body of this type is one of these.
    func covers(_ essence: String) -> Bool {
        guard subtype == "*" else { return essence == self.essence }
        return essence.hasPrefix("\(type)/") && BodyType.framing(of: essence) == nil
    }

    /// Whether a body may pass that is labelled so and comes with this status.
    func covers(_ type: BodyType, _ status: Int) -> Bool {
        guard type.isWellFormed, let essence = type.essence, covers(essence) else { return false }
        return statuses?.contains(status) ?? true
    }
}

extension PassedType: CustomStringConvertible {
    var description: String { statuses.map { "\(essence) with \($0)" } ?? essence }
}
