import TestSupport
import Testing

@testable import ConvertEngine

/// The marks of keys in open objects stay known until those objects end, however many other objects come and go.
struct SeenKeysTests {
    @Test func `keys are known only in their own object, however large the table becomes`() {
        var random = SeededGenerator(seed: 7)
        var seen = SeenKeys()
        var containers = UniqueStack(Container(kind: .object, state: 0, tag: ObjectTag(serial: 1, depth: 0)))
        var expected: [[UInt64: SeenKeys.Marks]] = []
        var serial: UInt64 = 1
        expected.append([:])
        /// Every five hundredth key shares most of its hash bits with others of its kind; all other keys share none.
        func name(_ number: UInt64) -> SeenKeys.Name {
            SeenKeys.Name(first: number % 500 == 0 ? number : number &* 0x9E37_79B9_7F4A_7C15, second: number << 37)
        }
        for step in 0..<200_000 {
            switch Int.random(in: 0..<100, using: &random) {
            case 0 where containers.depth < 6:
                serial += 1
                let tag = ObjectTag(serial: serial, depth: containers.depth + 1)
                containers.push(Container(kind: .object, state: 0, tag: tag))
                expected.append([:])
            case 1 where containers.depth > 0:
                containers.pop()
                expected.removeLast()
            case 2..<40:
                let number = UInt64.random(in: 1..<(step < 150_000 ? 100_000 : 100), using: &random)
                let depth = Int.random(in: 0...containers.depth, using: &random)
                let object = containers[depth].tag
                let marks = SeenKeys.Marks(rawValue: UInt64.random(in: 0...15, using: &random))
                seen.note(marks, of: name(number), in: object, open: containers)
                expected[depth][number] = marks
            case 40..<70:
                let number = UInt64.random(in: 1..<100_000, using: &random)
                let isNew = expected[containers.depth][number] == nil
                let wasNoted = seen.noteNew(name(number), of: nil, in: containers.top.tag, open: containers)
                #expect(wasNoted == isNew)
                if isNew { expected[containers.depth][number] = .seen }
            default:
                let number = UInt64.random(in: 1..<100_000, using: &random)
                for depth in 0...containers.depth {
                    let object = containers[depth].tag
                    let marks = seen.marks(of: name(number), in: object)
                    #expect(marks == expected[depth][number] ?? [])
                }
            }
        }
        let grown = seen.storedBytes
        seen.removeAll()
        let emptied = seen.storedBytes
        #expect(grown > 1_000_000 && emptied < 4096)
    }

    /// 75 % of 131,072 slots are 98,304, so the first object ends soon after a move to a table of 262,144 has begun.
    @Test func `keys of objects that ended during a move stay spread over the table`() {
        var seen = SeenKeys()
        for serial in 1...8 {
            let object = Container(kind: .object, state: 0, tag: ObjectTag(serial: UInt64(serial), depth: 0))
            let containers = UniqueStack(object)
            var random = SeededGenerator(seed: UInt64(serial))
            for _ in 0..<99_000 {
                let name = SeenKeys.Name(first: random.next(), second: random.next())
                _ = seen.noteNew(name, of: nil, in: object.tag, open: containers)
            }
            var (run, longest) = (0, 0)
            for slot in 0..<seen.table.slots.count {
                run = seen.table.slots[slot].object.isNone ? 0 : run + 1
                longest = max(longest, run)
            }
            // At 75 %, runs of random keys have up to some 400 slots.
            #expect(longest < 2000, "after \(serial) objects")
        }
    }

    @Test func `the owner of a key is known, whatever else is recorded about it`() {
        var seen = SeenKeys()
        let frame = Container(kind: .object, state: 0, tag: ObjectTag(serial: 9, depth: 0))
        let containers = UniqueStack(frame)
        let name = SeenKeys.Name(first: 5, second: 1 << 40)
        let (first, other) = (SeenKeys.Name(first: 7, second: 1 << 41), SeenKeys.Name(first: 8, second: 1 << 41))
        let isNew = seen.noteNew(name, of: first.first, in: frame.tag, open: containers)
        let isNewAgain = seen.noteNew(name, of: other.first, in: frame.tag, open: containers)
        #expect(isNew && !isNewAgain)
        let marks = seen.marks(of: name, in: frame.tag)
        #expect(marks.contains(.taken) && !marks.contains(.seen))
        seen.note(marks.union(.seen), of: name, in: frame.tag, open: containers)
        let fromFirst = seen.isKnown(name, from: first, in: frame.tag)
        let fromOther = seen.isKnown(name, from: other, in: frame.tag)
        let elsewhere = seen.isKnown(name, from: first, in: ObjectTag(serial: 10, depth: 0))
        #expect(fromFirst && !fromOther && !elsewhere)
    }
}
