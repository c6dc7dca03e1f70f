import Testing

@testable import HTTPServer

struct RequestIdentifiersTests {
    @Test func `identifiers are hexadecimal, of one length, and unique across all loops`() {
        var loops = [RequestIdentifiers(seed: 0), RequestIdentifiers(seed: 1), RequestIdentifiers(seed: .max)]
        var names: Set<String> = []
        for _ in 0..<5000 {
            for index in loops.indices { names.insert(loops[index].make()) }
        }
        #expect(names.count == 15_000)
        #expect(names.allSatisfy { $0.wholeMatch(of: /[0-9a-f]{24}/) != nil })
    }

    @Test func `an identifier consists of the loop's seed and the request's number`() {
        var identifiers = RequestIdentifiers(seed: 0xABC)
        for _ in 0..<254 { _ = identifiers.make() }
        #expect(identifiers.make() == "000000000abc" + "0000000000ff")
    }
}
