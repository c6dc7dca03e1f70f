#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(CWasm)
    import CWasm
#endif

/// A stack of plain values with one owner, which is never empty. Its top is changed in place.
///
/// So a push copies nothing. A copy would read with wide loads the bytes that narrow stores have just written. The
/// processor would wait until these have left its store buffer. Every access except that of the top is bounds-checked.
@safe
struct UniqueStack<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    // Sendable: the struct cannot be copied, so its storage has one owner and moves with it. Pointers to the storage exist only during an
    // access, and the elements are Sendable values. Shared borrows only read.
    private var base: UnsafeMutablePointer<Element>
    private var topAddress: UnsafeMutablePointer<Element>
    private var capacity: Int
    /// The number of elements below the top.
    private(set) var depth: Int

    init(_ bottom: Element) {
        capacity = 16
        depth = 0
        unsafe base = .allocate(capacity, inPlaceOf: nil)
        unsafe base.initialize(to: bottom)
        unsafe topAddress = base
    }

    deinit { unsafe free(base) }

    /// The bytes of the storage, used or not.
    var storedBytes: Int { capacity * MemoryLayout<Element>.stride }

    var top: Element {
        @inline(__always)
        unsafeAddress { unsafe UnsafePointer(topAddress) }
        @inline(__always)
        unsafeMutableAddress { unsafe topAddress }
    }

    /// The element with `index` elements below it.
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

    /// Removes the top; there must be an element below it.
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
