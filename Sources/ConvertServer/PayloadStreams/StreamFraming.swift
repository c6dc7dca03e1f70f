package import ConvertEngine

/// How the payloads of a stream follow each other, if there is something else between them.
package enum StreamFraming: Sendable, Hashable, CaseIterable {
    /// `text/event-stream`: the data of each event is a payload (WHATWG HTML §9.2.6).
    case events
    /// `application/json-seq`: each text after a record separator is a payload (RFC 7464).
    case sequence
}

/// Which payloads of a stream are converted.
package struct StreamRule: Sendable, Hashable {
    /// The names of the events whose data is converted; nil for all. A JSON sequence has no names.
    package var only: [[UInt8]]?
    /// The data of events that passes unchanged, each as a whole.
    package var passes: [[UInt8]]
    /// Whether only the ids, names and retry times of events may pass unchanged.
    package var withholds: Bool

    package init(only: [[UInt8]]? = nil, passes: [[UInt8]] = [], withholds: Bool = false) {
        self.only = only
        self.passes = passes
        self.withholds = withholds
    }
}

extension ConversionError {
    /// The error of an event whose data must not pass, because it may be any text.
    package static let noObject = ConversionError(
        code: .json, message: "the data of an event must be a JSON object or array", offset: 0, line: 1, column: 1,
        pointer: "")
}
