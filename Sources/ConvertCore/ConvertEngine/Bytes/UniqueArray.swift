#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#elseif canImport(Darwin)
    import Darwin
#elseif canImport(CWasm)
    import CWasm
#endif

/// A growable array of plain values with one owner. It needs no reference counting, and no uniqueness check before a write.
///
/// Every access is bounds-checked. The engine's stacks and tables use it.
@safe @usableFromInline
package struct UniqueArray<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    // Sendable: the struct cannot be copied, so its storage has one owner and moves with it. Pointers to the storage exist only during an
    // access, and the elements are Sendable values. Shared borrows only read.
    @usableFromInline var base: UnsafeMutablePointer<Element>
    @usableFromInline var capacity: Int
    @usableFromInline package internal(set) var count: Int

    /// An empty array. Without a capacity, it has no storage before it gets an element.
    package init(capacity: Int = 0) {
        precondition(capacity >= 0)
        self.capacity = capacity
        count = 0
        unsafe base = capacity > 0 ? .allocate(capacity, inPlaceOf: nil) : .noStorage
    }

    package init(repeating element: Element, count: Int) {
        precondition(count >= 0)
        capacity = max(count, 1)
        self.count = count
        unsafe base = .allocate(capacity, inPlaceOf: nil)
        unsafe base.initialize(repeating: element, count: count)
    }

    /// `count` elements whose bits are all zero, which must be a valid value.
    ///
    /// Large storage is not touched before it is used, so this takes no time even for a large `count`.
    init(zeroed count: Int) {
        precondition(count > 0)
        guard let storage = unsafe calloc(count, MemoryLayout<Element>.stride) else {
            preconditionFailure("out of memory")
        }
        unsafe base = storage.bindMemory(to: Element.self, capacity: count)
        capacity = count
        self.count = count
    }

    deinit { if capacity > 0 { unsafe free(base) } }

    @inlinable package var isEmpty: Bool { count == 0 }

    /// The bytes of the storage, used or not.
    package var storedBytes: Int { capacity * MemoryLayout<Element>.stride }

    @inlinable package subscript(index: Int) -> Element {
        @inline(__always)
        unsafeAddress {
            precondition(index >= 0 && index < count)
            return unsafe UnsafePointer(base + index)
        }
        @inline(__always)
        unsafeMutableAddress {
            precondition(index >= 0 && index < count)
            return unsafe base + index
        }
    }

    @inlinable @inline(__always)
    package mutating func append(_ element: Element) {
        if count == capacity { grow() }
        unsafe (base + count).initialize(to: element)
        count &+= 1
    }

    @usableFromInline @inline(never)
    mutating func grow() {
        let wanted = max(16, capacity * 2)
        unsafe base = .allocate(wanted, inPlaceOf: capacity > 0 ? base : nil)
        capacity = wanted
    }

    /// Removes and returns the last element; there must be one.
    @inlinable @inline(__always)
    package mutating func removeLast() -> Element {
        precondition(count > 0)
        count &-= 1
        return unsafe base[count]
    }

    @inlinable package mutating func removeAll() { count = 0 }

    /// Removes all elements. Storage for more than `keptCount` is freed.
    mutating func removeAll(keepingAtMost keptCount: Int) {
        if capacity > keptCount { self = UniqueArray() }
        count = 0
    }

    /// Replaces all elements by those of another array.
    package mutating func copy(_ other: borrowing UniqueArray) {
        count = 0
        while capacity < other.count { grow() }
        unsafe base.initialize(from: other.base, count: other.count)
        count = other.count
    }

    @inlinable package mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count)
        count = newCount
    }
}

extension UnsafeMutablePointer where Pointee: BitwiseCopyable {
    /// The address of storage for no values.
    static var noStorage: Self { unsafe Self(bitPattern: MemoryLayout<Pointee>.alignment).unsafelyUnwrapped }

    /// Storage for `count` values that replaces `known` and begins with its content.
    ///
    /// `realloc` moves large storage by its pages. Copying hundreds of megabytes would take as many milliseconds.
    static func allocate(_ count: Int, inPlaceOf known: Self?) -> Self {
        let (bytes, isTooMuch) = count.multipliedReportingOverflow(by: MemoryLayout<Pointee>.stride)
        guard !isTooMuch, let storage = unsafe realloc(known, bytes) else { preconditionFailure("out of memory") }
        return unsafe storage.bindMemory(to: Pointee.self, capacity: count)
    }
}
