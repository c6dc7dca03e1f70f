/// How long the activities of a client's connection may last.
package struct ConnectionTimes: Sendable, Hashable {
    /// From the first byte of a head to its end, and until the first byte of a connection.
    package var headSeconds = 10
    /// The longest time without progress of a request's body.
    package var bodySeconds = 30
    /// The longest time without progress of a response.
    package var writeSeconds = 30
    package var keepAliveSeconds = 75
    /// The minimum rate at which a client sends a body or accepts a response, over a minute; 0 means no limit.
    package var minBytesPerSecond = 256
    /// The longest time without a byte to discard.
    var lingerSeconds = 2
    /// The longest time of discarding, whatever arrives.
    var maxLingerSeconds = 30
}
