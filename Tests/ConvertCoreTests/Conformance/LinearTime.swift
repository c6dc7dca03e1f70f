import Testing

extension Trait where Self == TimeLimitTrait {
    /// Far more than what takes time in proportion needs, and far less than what takes its square.
    ///
    /// The time in which a test waits for its turn counts, so that under a sanitizer the bound is longer; the square of a hundred
    /// thousand elements takes hours then.
    static var linearTime: Self {
        #if SANITIZED
            .timeLimit(.minutes(30))
        #else
            .timeLimit(.minutes(2))
        #endif
    }
}
