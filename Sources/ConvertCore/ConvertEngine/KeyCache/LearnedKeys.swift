/// What a key mapper has learned that another one of its plan can use: path states, and the decision on each key.
struct LearnedKeys: ~Copyable, Sendable {
    let paths: PathAutomaton
    let cache: KeyCache
    let predictor: KeyCache.Predictor
    /// The last object's serial number: the tags in the cache have lower ones.
    let serial: UInt64

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { cache.storedBytes + paths.storedBytes }
}
