// Each member is a piece of the text, from one mark to the next, and the sorter is told where the pieces' names are. Of a small
// object the pieces are put together anew at once. A large one's text is taken away first, and its pieces are written in their
// order, a part in each call: after `begin`, `write` collects names, has them sorted and then writes, until `isDone`.

/// Puts the members at the end of a text in the order of their names, by UTF-8 bytes; those of one name stay as they were.
struct MemberSorter: ~Copyable {
    enum Phase: BitwiseCopyable, Sendable {
        case collecting, sorting, writing, done
    }

    /// Text, and marks, whose storage is kept.
    private static let maxKeptTextBytes = 256 * 1024
    private static let maxKeptMarks = 8192
    /// How many bytes of a name are looked at for one step.
    private static let stepBytes = 8

    private var sorter = NameSorter()
    private var scratch = ByteBuffer()
    /// Of a large object: a text that ends with its members, and where each begins in it.
    private var text = ByteBuffer()
    private var marks = TrivialArray<Int>()
    private var phase = Phase.done
    /// The next member to be collected or written.
    private var position = 0

    var isDone: Bool { phase == .done }

    /// Bytes that the storage takes, used or not.
    var storedBytes: Int { sorter.storedBytes + scratch.capacity + text.capacity + marks.storedBytes }

    // MARK: Small objects

    /// Sorts the members that begin at the marks from `first` on; all but the first of them begin with a comma.
    ///
    /// The last one ends where the text does.
    mutating func sort(_ marks: borrowing TrivialArray<Int>, from first: Int, _ text: inout ByteBuffer) {
        sorter.removeAll()
        for index in first..<marks.count {
            Self.add(index, at: Self.start(of: index, marks, from: first), text, to: &sorter)
        }
        guard !sorter.isInOrder else { return }
        var steps = Int.max
        _ = sorter.sort(text, steps: &steps)
        text.padWithSlack()
        scratch.removeAll()
        for position in 0..<sorter.count {
            if position > 0 { scratch.append(ASCII.comma) }
            let index = sorter[position]
            let start = Self.start(of: index, marks, from: first)
            let end = index + 1 < marks.count ? marks[index + 1] : text.count
            scratch.append(text, from: start, length: end - start)
        }
        text.truncate(to: marks[first])
        text.append(first: scratch.count, of: scratch)
    }

    @inline(__always)
    private static func start(of index: Int, _ marks: borrowing TrivialArray<Int>, from first: Int) -> Int {
        marks[index] + (index > first ? 1 : 0)
    }

    /// Adds a member, and answers how long its name is.
    @discardableResult
    private static func add(
        _ index: Int, at start: Int, _ text: borrowing ByteBuffer, to sorter: inout NameSorter
    ) -> Int {
        // Behind a line break and indentation comes the name; it ends with a quote that no backslash stands before.
        var nameStart = start
        while text[nameStart] != ASCII.quote { nameStart += 1 }
        nameStart += 1
        var nameEnd = nameStart
        var hasEscape = false
        while text[nameEnd] != ASCII.quote {
            if text[nameEnd] == ASCII.backslash {
                hasEscape = true
                nameEnd += 1
            }
            nameEnd += 1
        }
        sorter.add(index, named: nameStart, count: nameEnd - nameStart, hasEscape: hasEscape, in: text)
        return nameEnd - nameStart
    }

    // MARK: Large objects

    /// Takes the members that begin at the marks from `first` on out of the text, to write them in their order.
    mutating func begin(_ marks: inout TrivialArray<Int>, from first: Int, _ text: inout ByteBuffer) {
        sorter.removeAll()
        let start = marks[first]
        position = 0
        phase = .collecting
        self.marks.removeAll()
        if first == 0 {
            swap(&self.marks, &marks)
        } else {
            for index in first..<marks.count { self.marks.append(marks[index]) }
            marks.truncate(to: first)
        }
        self.text.removeAll()
        if start < text.count / 2 {
            // What stands before is less than what is taken.
            swap(&self.text, &text)
            text.append(first: start, of: self.text)
        } else {
            self.text.append(text.bytes.extracting(start...))
            text.truncate(to: start)
            for index in 0..<self.marks.count { self.marks[index] -= start }
        }
        self.text.padWithSlack()
    }

    /// Goes on until `maxBytes` more are written, or as much other work is done, or nothing is left.
    mutating func write(upTo maxBytes: Int, into output: inout ByteBuffer) {
        var steps = maxBytes
        while steps > 0 {
            switch phase {
            case .collecting: collect(&steps)
            case .sorting: if sorter.sort(text, steps: &steps) { phase = .writing }
            case .writing: writeMembers(&steps, into: &output)
            case .done: return
            }
        }
    }

    /// Forgets what is still to be written.
    mutating func abandon() {
        phase = .done
        sorter.removeAll()
        if text.capacity > Self.maxKeptTextBytes { text = ByteBuffer() }
        if marks.count > Self.maxKeptMarks { marks = TrivialArray() }
    }

    private mutating func collect(_ steps: inout Int) {
        while position < marks.count, steps > 0 {
            let length = Self.add(position, at: marks[position] + (position > 0 ? 1 : 0), text, to: &sorter)
            position += 1
            steps -= 1 + length / Self.stepBytes
        }
        guard position == marks.count else { return }
        position = 0
        phase = .sorting
    }

    private mutating func writeMembers(_ steps: inout Int, into output: inout ByteBuffer) {
        while position < marks.count, steps > 0 {
            let index = sorter[position]
            let start = marks[index] + (index > 0 ? 1 : 0)
            let end = index + 1 < marks.count ? marks[index + 1] : text.count
            if position > 0 { output.append(ASCII.comma) }
            output.append(text, from: start, length: end - start)
            position += 1
            steps -= end - start
        }
        if position == marks.count { abandon() }
    }
}
