import CPlayground

/// The page that the program was built with.
package enum EmbeddedPage {
    /// The page, gzipped; empty in a program that was built without it.
    package static var gzipped: [UInt8] {
        var count = 0
        let start = unsafe convert_playground_page(&count)
        return unsafe Array(UnsafeBufferPointer(start: start, count: count))
    }

    /// Its Content-Security-Policy.
    package static var policy: String { unsafe String(cString: convert_playground_policy()) }
}
