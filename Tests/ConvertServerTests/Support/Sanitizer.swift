/// Whether tests and program are built with a sanitizer, which has memory and takes time of its own.
///
/// Bounds of memory and of time are not judged then; everything else is.
enum Sanitizer {
    #if SANITIZED
        static let isActive = true
    #else
        static let isActive = false
    #endif
}
