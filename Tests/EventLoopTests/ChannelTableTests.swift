import Testing

@testable import EventLoop
@testable import Sockets

struct ChannelTableTests {
    @Test func `a token finds its connection until it is removed, even after its index is reused`() {
        var table = ChannelTable<String>()
        let first = table.insert("first")
        let second = table.insert("second")
        #expect(table[first] == "first" && table[second] == "second")
        #expect(table.remove(first) == "first")
        #expect(table[first] == nil)
        #expect(table.remove(first) == nil)
        let third = table.insert("third")
        #expect(third.index == first.index)
        #expect(table[first] == nil && table[third] == "third")
        #expect(table.count == 2)
        #expect(Set(table.tokens) == [second, third])
    }

    @Test func `the poller forgets a closed connection`() {
        var table = ChannelTable<String>()
        let first = table.insert("first")
        #expect(table.watched(first) == nil)
        table.setWatched([.read, .write], of: first)
        #expect(table.watched(first) == [.read, .write])
        _ = table.remove(first)
        table.setWatched(.read, of: first)
        let second = table.insert("second")
        #expect(table.watched(first) == nil && table.watched(second) == nil)
    }

    @Test func `a token consists of a generation and an index`() {
        let rows: [(generation: UInt32, index: Int)] = [(0, 0), (1, 0), (0, 1), (UInt32.max - 1, 1 << 20)]
        for row in rows {
            let token = PollToken(generation: row.generation, index: row.index)
            #expect(token.generation == row.generation && token.index == row.index)
        }
        #expect(PollToken(rawValue: .max).generation == ChannelTable<String>.reservedGeneration)
    }
}
