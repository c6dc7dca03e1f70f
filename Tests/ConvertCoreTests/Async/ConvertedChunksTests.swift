import ConvertCore
import Testing

struct ConvertedChunksTests {
    private static let payload = Array(
        #"{"user_id": 7, "seen_at": "2024-07-14T18:30:00+02:00", "list_of_x": [1, 2]}"#.utf8)
    private static let expected = #"{"userId":7,"seenAt":"2024-07-14T16:30:00Z","listOfX":[1,2]}"#

    private func plan() throws -> Plan { try Profile(.keys(.camelCase), .dates(.rfc3339)).compile(.forward) }

    private func stream<Element: Sendable>(_ elements: [Element], error: (any Error)? = nil) -> AsyncThrowingStream<
        Element, any Error
    > {
        AsyncThrowingStream { continuation in
            for element in elements { continuation.yield(element) }
            continuation.finish(throwing: error)
        }
    }

    private func text(_ chunks: some AsyncSequence<[UInt8], any Error>) async throws -> String {
        var output: [UInt8] = []
        for try await chunk in chunks {
            #expect(!chunk.isEmpty)
            output += chunk
        }
        return String(decoding: output, as: UTF8.self)
    }

    @Test func `pieces and single bytes give the same output as the whole payload`() async throws {
        for length in [1, 7, 1000] {
            let pieces = stride(from: 0, to: Self.payload.count, by: length).map { start in
                Array(Self.payload[start..<min(start + length, Self.payload.count)])
            }
            #expect(try await text(plan().convert(stream(pieces))) == Self.expected)
        }
        for chunkBytes in [0, 1, 5, 16 * 1024] {
            #expect(try await text(plan().convert(stream(Self.payload), chunkBytes: chunkBytes)) == Self.expected)
        }
        let lines = Self.payload + [0x0A] + Self.payload
        #expect(
            try await text(plan().convert(stream([lines]), framing: .lines)) == "\(Self.expected)\n\(Self.expected)\n")
    }

    @Test func `long output of one piece comes in parts`() async throws {
        // Each bracket becomes a line with up to 16 * 400 spaces.
        let nested = Array(repeatElement(UInt8(ascii: "["), count: 400))
        let values = Array("0\(String(repeating: ",0", count: 2000))".utf8)
        let payload = nested + values + repeatElement(UInt8(ascii: "]"), count: 400)
        let plan = try Profile(.output(indent: 16)).compile(.forward)
        var output: [UInt8] = []
        var longest = 0
        for try await chunk in plan.convert(stream([payload])) {
            longest = max(longest, chunk.count)
            output += chunk
        }
        #expect(output == (try plan.convert(payload)))
        #expect(output.count > 12_000_000 && longest < 1_000_000, "\(output.count), \(longest)")
    }

    @Test func `all of a long output comes before the error that ends it`() async throws {
        // The brackets alone become 16 * (1 + 2 + … + 400) spaces.
        let payload = Array("\(String(repeating: "[", count: 400))x".utf8)
        var iterator = try Profile(.output(indent: 16)).compile(.forward).convert(stream([payload])).makeAsyncIterator()
        var count = 0
        let error = await #expect(throws: ConversionError.self) {
            while let chunk = try await iterator.next() { count += chunk.count }
        }
        #expect(error?.offset == 400 && count > 16 * 399 * 400 / 2, "\(count)")
        #expect(try await iterator.next() == nil)
    }

    @Test(arguments: [Converter.Framing.document, .lines])
    func `a stream that ends because its task is cancelled is not a whole payload`(framing: Converter.Framing)
        async throws
    {
        let plan = try plan()
        // The stream is never finished by its source.
        let (stream, continuation) = AsyncStream<[UInt8]>.makeStream()
        continuation.yield(Array("1\n".utf8))
        let task = Task { for try await _ in plan.convert(stream, framing: framing) {} }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        continuation.finish()
    }

    @Test func `an error comes after the output before it, and ends the sequence`() async throws {
        var iterator = try plan().convert(stream([Array(#"{"a_b":1,"#.utf8), Array("}".utf8), Array("x".utf8)]))
            .makeAsyncIterator()
        var output: [UInt8] = []
        let error = await #expect(throws: ConversionError.self) {
            while let chunk = try await iterator.next() { output += chunk }
        }
        #expect(String(decoding: output, as: UTF8.self).hasPrefix(#"{"aB":1"#))
        #expect(error?.code == .json)
        #expect(try await iterator.next() == nil)
        // A payload that is cut off.
        await #expect(throws: ConversionError.self) { try await text(plan().convert(stream([Array("[1".utf8)]))) }
    }

    private struct Broken: Error {}

    @Test func `an error of the source is thrown unchanged`() async throws {
        await #expect(throws: Broken.self) {
            try await text(plan().convert(stream([Array("[1".utf8)], error: Broken())))
        }
    }
}
