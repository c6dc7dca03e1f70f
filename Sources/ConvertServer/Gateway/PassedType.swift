package import HTTPSemantics

/// Bodies that may pass unchanged on a route that withholds data: a media type, or all of one kind, such as `image/*`.
package struct PassedType: Sendable, Hashable {
    /// Without parameters. The subtype `*` means all.
    private let type: MediaType
    /// The statuses of the responses; nil means all.
    package var statuses: StatusSet?

    /// Reads a media type without parameters. Nil for anything else, also for `*/*` and for types of JSON.
    package init?(_ text: String) {
        guard let type = MediaType(text), type.parameters.isEmpty, !text.contains(";"), type.type != "*",
            !Self.isJSON(type.essence)
        else {
            return nil
        }
        self.type = type
    }

    package var essence: String { type.essence }

    /// Whether this entry covers a body of the type `essence`.
    package func covers(_ essence: String) -> Bool {
        guard type.subtype == "*" else { return essence == type.essence }
        return essence.hasPrefix("\(type.type)/") && !Self.isJSON(essence)
    }

    /// Whether backends may send JSON with this type, in lower case. Not all such types are converted on other routes: `text/json`.
    private static func isJSON(_ essence: String) -> Bool { essence.contains("json") }

    /// Whether a body with this type and status may pass.
    package func covers(_ type: BodyType, _ status: Int) -> Bool {
        guard type.isWellFormed, let essence = type.essence, covers(essence) else { return false }
        return statuses?.contains(status) ?? true
    }
}

extension PassedType: CustomStringConvertible {
    package var description: String { statuses.map { "\(essence) with \($0)" } ?? essence }
}
