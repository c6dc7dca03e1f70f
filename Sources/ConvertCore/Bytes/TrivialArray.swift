/// A growable array of plain values with one owner: no reference counting and no uniqueness test on writing.
///
/// Every access is bounds-checked. The engine's stacks and tables are made of it.
@safe
struct TrivialArray<Element: BitwiseCopyable & Sendable>: ~Copyable, @unchecked Sendable {
    // Sendable: the storage has exactly one owner, since the struct cannot be copied.
    private var base: UnsafeMutablePointer<Element>
    private var capacity: Int
    private(set) var count: Int

    init() {
        capacity = 16
        count = 0
        unsafe base = .allocate(capacity: capacity)
    }

    init(repeating element: Element, count: Int) {
        precondition(count >= 0)
        capacity = max(count, 1)
        self.count = count
        unsafe base = .allocate(capacity: capacity)
        unsafe base.initialize(repeating: element, count: count)
    }

    deinit { unsafe base.deallocate() }

    var isEmpty: Bool { count == 0 }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { capacity * MemoryLayout<Element>.stride }

    subscript(index: Int) -> Element {
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

    @inline(__always)
    mutating func append(_ element: Element) {
        if count == capacity { grow() }
        unsafe (base + count).initialize(to: element)
        count &+= 1
    }

    @inline(never)
    private mutating func grow() {
        let larger = UnsafeMutablePointer<Element>.allocate(capacity: capacity * 2)
        unsafe larger.update(from: base, count: count)
        unsafe base.deallocate()
        unsafe base = larger
        capacity *= 2
    }

    /// Removes and returns the last element; there must be one.
    @inline(__always)
    mutating func removeLast() -> Element {
        precondition(count > 0)
        count &-= 1
        return unsafe base[count]
    }

    mutating func removeAll() { count = 0 }

    mutating func truncate(to newCount: Int) {
        precondition(newCount >= 0 && newCount <= count)
        count = newCount
    }
}
