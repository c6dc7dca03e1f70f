/// Objects that the host refers to by number, from 1.
struct HandleTable<Element: AnyObject> {
    private var elements: [Element?] = []
    private var unused: [Int32] = []

    subscript(handle: Int32) -> Element? {
        handle > 0 && handle <= elements.count ? elements[Int(handle) - 1] : nil
    }

    mutating func insert(_ element: Element) -> Int32 {
        guard let handle = unused.popLast() else {
            elements.append(element)
            return Int32(elements.count)
        }
        elements[Int(handle) - 1] = element
        return handle
    }

    mutating func remove(_ handle: Int32) {
        guard self[handle] != nil else { return }
        elements[Int(handle) - 1] = nil
        unused.append(handle)
    }
}
