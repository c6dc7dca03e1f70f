extension KeyCache {
    /// What a key is predicted from: the last one, and the context, which is the three before it in the payload and the one before it
    /// in its object; -1 for none.
    ///
    /// The last ones of the payload tell what came of an optional part, the last of the object where in it the key stands. The
    /// last key alone is the shorter way to a guess; the context leads where that is often wrong.
    struct Predictor: BitwiseCopyable, Sendable {
        /// How many contexts are told apart; a power of two.
        static let placeCount = 4096

        private(set) var last = -1
        /// The newest keys of the payload, 16 bits of each, the last one lowest. In one word: moved up one by one, they would be read
        /// while they are still being written.
        private var trail: UInt64 = 0
        /// Whether the context is asked before the last key, instead of after it.
        private(set) var leads = false
        /// Keys that did not follow the last one as before, and how many objects had begun when they were first counted.
        private var surprises = 0
        private var firstObject: UInt64 = 0
        /// Payloads that were begun.
        private var payloads = 0

        /// Surprises between two looks at how many objects they were in.
        private static let surprisesALook = 32
        /// Payloads between two that begin with asking the last key first; a power of two.
        private static let payloadsALook = 16

        /// Goes on behind the key of `entry`.
        @inline(__always)
        mutating func pass(_ entry: Int) {
            trail = trail &<< 16 | UInt64(truncatingIfNeeded: entry) & 0xFFFF
            last = entry
        }

        /// Where what follows is kept. Contexts that share a place make each other's predictions fail, and no more.
        @inline(__always)
        func place(own: Int32) -> Int {
            // The key before the last one moves by five bits, the one before that by four.
            let keys = trail ^ trail &>> 11 ^ trail &>> 28
            return (Int(truncatingIfNeeded: keys) ^ Int(own) &<< 3) & (Self.placeCount &- 1)
        }

        /// Notes that the last key was asked first and wrong, in the last of so many objects.
        mutating func noteSurprise(objects: UInt64) {
            surprises &+= 1
            guard surprises == Self.surprisesALook else { return }
            leads = objects &- firstObject < UInt64(Self.surprisesALook)
            surprises = 0
            firstObject = objects
        }

        /// Begins to count anew, before another payload. What led in the last one leads in this, but once in sixteen times: the
        /// payloads may be others by now.
        mutating func beginPayload(objects: UInt64) {
            payloads &+= 1
            if payloads & (Self.payloadsALook &- 1) == 0 { leads = false }
            surprises = 0
            firstObject = objects
        }
    }
}
