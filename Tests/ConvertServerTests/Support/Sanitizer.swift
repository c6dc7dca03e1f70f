/// Whether tests and program are built with a sanitizer, which needs additional memory and time.
///
/// Tests then do not check limits of memory and time; they check everything else.
enum Sanitizer {
    #if SANITIZED
        static let isActive = true
    #else
        static let isActive = false
    #endif
}
