import ConvertCore
import Testing

/// A converter that is used after the end of its payload stops the process with a message.
struct ConverterMisuseTests {
    private static let message = "call reset() first"

    @Test func `a converter accepts no input after the end`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var converter = Converter(.minify())
            var output = ByteBuffer()
            try converter.finish(Array("1".utf8).span, into: &output)
            try converter.finish(Array("2".utf8).span, into: &output)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains(Self.message))
    }

    @Test func `a converter accepts no input after an error`() async throws {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            var converter = Converter(.minify())
            var output = ByteBuffer()
            try? converter.convert(Array("[1,]".utf8).span, into: &output)
            try converter.convert(Array("[1,1]".utf8).span, into: &output)
        }
        let text = String(decoding: try #require(result).standardErrorContent, as: UTF8.self)
        #expect(text.contains(Self.message))
    }

    @Test func `after a reset, a converter accepts the next payload`() throws {
        var converter = Converter(.minify())
        var output = ByteBuffer()
        try? converter.finish(Array("[1,]".utf8).span, into: &output)
        converter.reset()
        output.removeAll()
        try converter.finish(Array("[ 2 ]".utf8).span, into: &output)
        #expect(Array(output) == Array("[2]".utf8))
    }
}
