/// The events of a descriptor that a poller reports.
@usableFromInline
package struct PollInterest: OptionSet, Sendable, Hashable {
    @usableFromInline package let rawValue: UInt8

    @inlinable
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    @inlinable package static var read: PollInterest { PollInterest(rawValue: 1) }
    @inlinable package static var write: PollInterest { PollInterest(rawValue: 2) }
}

/// Identifies the object of an event for an event loop.
@usableFromInline
package struct PollToken: Sendable, Hashable {
    @usableFromInline package let rawValue: UInt64

    @inlinable
    package init(rawValue: UInt64) { self.rawValue = rawValue }
}

package struct PollEvent: Sendable, Hashable {
    package let token: PollToken
    package let isReadable: Bool
    package let isWritable: Bool
    /// Both directions are closed. It is reported for every interest.
    package let isBroken: Bool

    package init(token: PollToken, isReadable: Bool, isWritable: Bool, isBroken: Bool) {
        self.token = token
        self.isReadable = isReadable
        self.isWritable = isWritable
        self.isBroken = isBroken
    }
}
