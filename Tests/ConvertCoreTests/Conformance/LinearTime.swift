import Testing

extension Trait where Self == TimeLimitTrait {
    /// A time limit far above the need of linear work and far below the need of quadratic work.
    ///
    /// The limit includes the time that a test waits for its turn, so it is longer under a sanitizer. There, quadratic work on a
    /// hundred thousand elements takes hours.
    static var linearTime: Self {
        #if SANITIZED
            .timeLimit(.minutes(30))
        #else
            .timeLimit(.minutes(10))
        #endif
    }
}
