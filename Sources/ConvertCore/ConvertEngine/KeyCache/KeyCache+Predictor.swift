extension KeyCache {
    /// The state from which the next key is predicted: the last key (-1 for none), and the context. The context is the payload's last three
    /// keys and the last key of the object.
    ///
    /// The payload's keys tell whether an optional part came; the object's key tells the position in the object. The last key alone gives a
    /// prediction sooner. The context comes first where that is often wrong.
    struct Predictor: BitwiseCopyable, Sendable {
        /// The number of contexts that are distinguished; a power of two.
        static let contextCount = 4096

        private(set) var last = -1
        /// The newest keys of the payload, 16 bits each, the last one lowest. They share one word: separate fields, moved up one by one,
        /// would be read while they are still being written.
        private var trail: UInt64 = 0
        /// Whether the context is asked before the last key, not after it.
        private(set) var leads = false
        /// How often another key followed the last one than before, and how many objects had begun when counting started.
        private var surprises = 0
        private var firstObject: UInt64 = 0
        /// How many payloads have begun.
        private var payloads = 0

        /// How many surprises are counted before `leads` is decided again.
        private static let surprisesALook = 32
        /// After how many payloads the last key is asked first again; a power of two.
        private static let payloadsALook = 16

        /// Moves on past the key of `entry`, which becomes the last one.
        @inline(__always)
        mutating func pass(_ entry: Int) {
            trail = trail &<< 16 | UInt64(truncatingIfNeeded: entry) & 0xFFFF
            last = entry
        }

        /// The index of the current context in the table of followers. Contexts with the same index spoil each other's predictions, and no
        /// more.
        @inline(__always)
        func context(own: Int32) -> Int {
            // The key before the last one is shifted by five bits, the one before that by four.
            let keys = trail ^ trail &>> 11 ^ trail &>> 28
            return (Int(truncatingIfNeeded: keys) ^ Int(own) &<< 3) & (Self.contextCount &- 1)
        }

        /// Notes that the last key was asked first and was wrong; `objects` have begun so far.
        mutating func noteSurprise(objects: UInt64) {
            surprises &+= 1
            guard surprises == Self.surprisesALook else { return }
            leads = objects &- firstObject < UInt64(Self.surprisesALook)
            surprises = 0
            firstObject = objects
        }

        /// Starts counting anew, before another payload. `leads` is taken over from the last payload, except once in sixteen times: the
        /// payloads may be different by now.
        mutating func beginPayload(objects: UInt64) {
            payloads &+= 1
            if payloads & (Self.payloadsALook &- 1) == 0 { leads = false }
            surprises = 0
            firstObject = objects
        }
    }
}
