import Synchronization

/// Values that conversions use one after another. A conversion takes one, or makes its own if there is none, and keeps it here for the next.
///
/// So none waits for another, and there are as many as have run at the same time.
package final class Spares<Value: ~Copyable & Sendable>: Sendable {
    /// A value, and the one that was kept before it.
    private struct Spare: ~Copyable, Sendable {
        let value: Value
        let bytes: Int
        let below: UniqueBox<Spare>?
    }

    private struct Stack: ~Copyable, Sendable {
        var top: UniqueBox<Spare>?
        var bytes = 0

        mutating func pop() -> Value? {
            guard let spare = top.take()?.take() else { return nil }
            bytes -= spare.bytes
            top = spare.below
            return spare.value
        }

        /// Returns the value if there is no room for it.
        mutating func push(_ value: consuming Value, bytes: Int, most: Int) -> Value? {
            guard bytes <= most - self.bytes else { return value }
            self.bytes += bytes
            top = UniqueBox(Spare(value: value, bytes: bytes, below: top.take()))
            return nil
        }
    }

    private let maxBytes: Int
    private let stack = Mutex(Stack())

    package init(maxBytes: Int) { self.maxBytes = maxBytes }

    /// Hands out the value that was kept last; nil if there is none.
    package func take() -> Value? { stack.withLock { $0.pop() } }

    /// Keeps a value that takes about this many bytes, as long as all take no more than `maxBytes`.
    package func keep(_ value: consuming Value, bytes: Int) {
        var value = Optional(value)
        _ = stack.withLock { stack in stack.push(value.take()!, bytes: bytes, most: maxBytes) }
    }
}
