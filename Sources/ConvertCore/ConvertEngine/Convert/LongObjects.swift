import ConvertText

/// The objects with long text whose members are still to be sorted: the outermost one, and those inside it.
///
/// When an object ends, only the position of each member is noted (`add`). When the outermost object ends, its text is taken out (`begin`),
/// the members of all objects are sorted (`sort`), and the text is written in that order, a part in each call (`write`). So text is moved
/// once, however many objects are around it.
struct LongObjects: ~Copyable, Sendable {
    /// An object that ended. Objects inside it come before it.
    struct Object: BitwiseCopyable, Sendable {
        /// The text between its braces.
        var start, end: Int
        /// Where its members are, and the first object of those inside it, at any depth.
        let firstMember, memberCount, firstInside: Int
        /// The object after it within the same object around them, or -1.
        var next: Int32 = -1
    }

    struct Member: BitwiseCopyable, Sendable {
        /// Where its text begins, its comma included.
        var mark: Int
        /// The first object inside it, or -1.
        var object: Int32 = -1
        /// The number of the member that is written at this position.
        var written: UInt32 = 0
    }

    /// An object that is being written.
    struct OpenObject: BitwiseCopyable, Sendable {
        let index: Int
        /// How many of its members are written, or begun.
        var written = 0
        /// The rest of the last of them: from where to where, and the first object in it, or -1.
        var start = 0
        var end = 0
        var object: Int32 = -1
    }

    /// The most bytes of text, and the most members, whose storage is kept.
    private static let maxKeptTextBytes = 256 * 1024
    private static let maxKeptMembers = 8192

    private var objects = UniqueArray<Object>()
    private var members = UniqueArray<Member>()
    private var sorter = NameSorter()
    private(set) var isSorted = false
    /// The text that was taken out.
    private var text = ByteBuffer()
    private var open = UniqueArray<OpenObject>()

    var isEmpty: Bool { objects.isEmpty }
    /// Whether all members are written.
    var isDone: Bool { open.isEmpty }
    /// How many members there are.
    var count: Int { members.count }

    /// Bytes that the storage takes, used or not.
    @inline(__always) var storedBytes: Int {
        objects.storedBytes + members.storedBytes + sorter.storedBytes + text.capacity + open.storedBytes
    }

    // MARK: Objects that end

    /// Adds an object that ended, with its members from `first` on. Its text ends at `end`.
    mutating func add(_ added: borrowing UniqueArray<SortedMember>, from first: Int, end: Int) {
        let firstMember = members.count
        for index in first..<added.count { members.append(Member(mark: added[index].mark)) }
        let start = members[firstMember].mark
        // The objects directly inside are linked from the last to the first.
        var (inside, next, firstInside) = (objects.count - 1, Int32(-1), objects.count)
        var member = members.count - 1
        while inside >= 0, objects[inside].start > start {
            objects[inside].next = next
            next = Int32(inside)
            while members[member].mark > objects[inside].start { member -= 1 }
            members[member].object = next
            firstInside = objects[inside].firstInside
            inside = firstInside - 1
        }
        objects.append(
            Object(
                start: start, end: end, firstMember: firstMember, memberCount: members.count - firstMember,
                firstInside: firstInside))
    }

    /// Forgets the objects in text from `mark` on, which is removed.
    mutating func forget(from mark: Int) {
        while !objects.isEmpty, objects[objects.count - 1].end > mark {
            members.truncate(to: objects.removeLast().firstMember)
        }
    }

    /// Notes that the output loses its first `count` bytes. Text that was taken out stays as it is.
    mutating func released(_ count: Int) {
        guard isDone else { return }
        for index in 0..<objects.count {
            objects[index].start -= count
            objects[index].end -= count
        }
        for index in 0..<members.count { members[index].mark -= count }
    }

    // MARK: The outermost object

    /// Takes out the text of the outermost object, which was added last.
    mutating func begin(_ output: inout ByteBuffer) {
        let start = objects[objects.count - 1].start
        if start < output.count / 2 {
            // The text before the object is the shorter part, so that is copied.
            swap(&text, &output)
            output.removeAll()
            output.append(first: start, of: text)
        } else {
            text.append(output.bytes.extracting(start...))
            output.truncate(to: start)
            released(start)
        }
        text.padWithSlack()
        open.append(OpenObject(index: objects.count - 1))
    }

    /// Sorts the members of all objects.
    mutating func sort() {
        for index in 0..<objects.count {
            let (first, count) = (objects[index].firstMember, objects[index].memberCount)
            sorter.removeAll()
            for number in 0..<count {
                let start = members[first + number].mark + (number > 0 ? 1 : 0)
                MemberSorter.add(number, at: start, text, to: &sorter)
            }
            sorter.sort(text)
            for position in 0..<count { members[first + position].written = UInt32(sorter[position]) }
        }
        sorter.removeAll()
        isSorted = true
    }

    /// Writes about `maxBytes` more, or the rest.
    mutating func write(upTo maxBytes: Int, into output: inout ByteBuffer) {
        let written = output.count
        while !isDone, output.count - written < maxBytes { writeNext(upTo: maxBytes, into: &output) }
        if isDone { abandon() }
    }

    private mutating func writeNext(upTo maxBytes: Int, into output: inout ByteBuffer) {
        let top = open.count - 1
        let (start, end, inside) = (open[top].start, open[top].end, Int(open[top].object))
        guard start < end else { return writeMembers(upTo: maxBytes, into: &output) }
        let limit = inside < 0 ? end : min(end, objects[inside].start)
        guard start < limit else {
            (open[top].start, open[top].object) = (objects[inside].end, objects[inside].next)
            return open.append(OpenObject(index: inside))
        }
        let length = min(limit - start, maxBytes)
        output.append(text, from: start, length: length)
        open[top].start += length
    }

    /// Writes members of the innermost object that is being written. A member that is long, or has an object in it, is only begun.
    /// If no member is left, ends the object.
    private mutating func writeMembers(upTo maxBytes: Int, into output: inout ByteBuffer) {
        let top = open.count - 1
        let object = open[top].index
        let (first, count) = (objects[object].firstMember, objects[object].memberCount)
        var written = open[top].written
        guard written < count else {
            _ = open.removeLast()
            return
        }
        let mark = output.count
        while written < count, output.count - mark < maxBytes {
            let number = Int(members[first + written].written)
            // All members but the first one begin with a comma.
            let start = members[first + number].mark + (number > 0 ? 1 : 0)
            let end = number + 1 < count ? members[first + number + 1].mark : objects[object].end
            if written > 0 { output.append(ASCII.comma) }
            written += 1
            guard members[first + number].object < 0, end - start <= maxBytes else {
                (open[top].start, open[top].end, open[top].object) = (start, end, members[first + number].object)
                break
            }
            output.append(text, from: start, length: end - start)
        }
        open[top].written = written
    }

    /// Forgets all objects.
    mutating func abandon() {
        objects.removeAll(keepingAtMost: Self.maxKeptMembers)
        members.removeAll(keepingAtMost: Self.maxKeptMembers)
        sorter.removeAll()
        text.removeAll(keepingAtMost: Self.maxKeptTextBytes)
        open.removeAll()
        isSorted = false
    }
}
