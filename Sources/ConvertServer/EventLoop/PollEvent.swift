/// The events of a descriptor that a poller reports.
struct PollInterest: OptionSet, Sendable, Hashable {
    let rawValue: UInt8

    static let read = PollInterest(rawValue: 1)
    static let write = PollInterest(rawValue: 2)
}

/// How an event loop knows again whom an event is for.
struct PollToken: Sendable, Hashable {
    let rawValue: UInt64
}

/// Something that happened to a descriptor.
struct PollEvent: Sendable, Hashable {
    let token: PollToken
    let isReadable: Bool
    let isWritable: Bool
    /// Both directions are gone, whatever interest was stated.
    let isBroken: Bool
}
