#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(CWasm)
    import CWasm
#endif

/// A stack of plain values with one owner, which is never empty. Its top is worked on where it is.
///
/// So nothing is copied when another is put on it. A copy would read by wide loads what was just written by narrow stores, and the
/// processor waits until these have left its store buffer. Every access is bounds-checked, but for the top, which is always there.
@safe
struct UniqueStack<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    // Sendable: the struct cannot be copied, so that its storage has one owner, and goes where that goes. No pointer to it leaves the
    // accessors but for the length of an access, and the elements are values that may be sent. Borrowed by several, it is only read.
    private var base: UnsafeMutablePointer<Element>
    private var topAddress: UnsafeMutablePointer<Element>
    private var capacity: Int
    /// How many are under the top.
    private(set) var depth: Int

    init(_ bottom: Element) {
        capacity = 16
        depth = 0
        unsafe base = .allocate(capacity, inPlaceOf: nil)
        unsafe base.initialize(to: bottom)
        unsafe topAddress = base
    }

    deinit { unsafe free(base) }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { capacity * MemoryLayout<Element>.stride }

    var top: Element {
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(topAddress) }
        @inline(__always)
        unsafeMutableAddress { unsafe topAddress }
    }

    /// The element with so many under it.
    subscript(index: Int) -> Element {
        @inline(__always)
        unsafeAddress {
            precondition(index >= 0 && index <= depth)
            return unsafe UnsafePointer(base + index)
        }
        @inline(__always)
        unsafeMutableAddress {
            precondition(index >= 0 && index <= depth)
            return unsafe base + index
        }
    }

    @inline(__always)
    mutating func push(_ element: Element) {
        depth &+= 1
        unsafe topAddress += 1
        if depth == capacity { grow() }
        unsafe topAddress.initialize(to: element)
    }

    @inline(never)
    private mutating func grow() {
        unsafe base = .allocate(capacity * 2, inPlaceOf: base)
        capacity *= 2
        unsafe topAddress = base + depth
    }

    /// Removes the top, under which there must be one.
    @inline(__always)
    mutating func pop() {
        precondition(depth > 0)
        depth &-= 1
        unsafe topAddress -= 1
    }

    /// Removes all but the bottom.
    mutating func removeAllAboveBottom() {
        depth = 0
        unsafe topAddress = base
    }
}
