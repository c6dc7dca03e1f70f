import ConvertEngine
import ConvertProfiles
import GatewayTestSupport
import HTTPWire
import Observability
import Testing

@testable import Conversions
@testable import Gateway
@testable import HTTPSemantics
@testable import PayloadStreams
@testable import Sockets
@testable import Text

struct ResponseBodyConversionTests {
    /// A conversion with the profile `mobile`, and the response that a client would get from it.
    private final class Trial {
        let conversion: ResponseBodyConversion
        let heldBytes = MemoryBudget()
        let encoders = EncoderPool()

        init(
            _ type: PayloadType = .json, isLabelled: Bool = true, keepsOriginal: Bool = false,
            maxHeldBytes: Int = 1 << 28
        ) throws {
            let profiles = try GatewayTrial.profiles(["mobile": GatewayTrial.mobile])
            let order = ConversionOrder(
                recipe: try profiles.recipe("mobile", .forward), type: type, contentType: "")
            conversion = ResponseBodyConversion(
                PayloadConversion(order, ConverterPool()), from: .identity, maxDecodedRatio: 1, to: .identity,
                isLabelled: isLabelled, keepsOriginal: keepsOriginal, Reservation(heldBytes, maxBytes: maxHeldBytes))
        }

        func take(_ bytes: [UInt8]) throws {
            conversion.take(bytes.span)
            while conversion.hasWork { try conversion.step { MonotonicTime(nanoseconds: 0) } }
        }

        func take(_ text: String) throws { try take(Array(text.utf8)) }

        /// The output for the client, after the commit.
        func send() -> String {
            var sent: [UInt8] = []
            conversion.takeOutput(isLast: true) { sent = Array($0) }
            return String(decoding: sent, as: UTF8.self)
        }
    }

    private static func moment(_ milliseconds: Int64) -> MonotonicTime {
        MonotonicTime(nanoseconds: 0).advanced(milliseconds: milliseconds)
    }

    @Test func `immediate and buffered conversion give the same output`() throws {
        let pieces = [#"[{ "firstName" : 1 },"#, #" { "fir"#, #"stName": [2] "#, "}]"].map { Array($0.utf8) }
        for atOnce in 0..<16 {
            let trial = try Trial(keepsOriginal: true)
            for (index, piece) in pieces.enumerated() {
                guard atOnce >> index & 1 == 1 else {
                    try trial.take(piece)
                    continue
                }
                let isLast = index == pieces.count - 1
                #expect(
                    try trial.conversion.convertAtOnce(piece.span, isLast: isLast) { MonotonicTime(nanoseconds: 0) })
            }
            #expect(try trial.conversion.finish())
            trial.conversion.commit(trial.encoders)
            #expect(trial.send() == #"[{"fn":1},{"fn":[2]}]"#, "\(atOnce)")
        }
    }

    @Test func `a long piece, or one behind waiting input, is not converted at once`() throws {
        let trial = try Trial()
        let clock = { MonotonicTime(nanoseconds: 0) }
        trial.conversion.take(Array("[".utf8).span)
        #expect(try !trial.conversion.convertAtOnce(Array("]".utf8).span, isLast: false, clock))
        while trial.conversion.hasWork { try trial.conversion.step(clock) }
        let long = [UInt8](repeating: ASCII.space, count: Recipe.sliceBytes.upperBound + 1)
        #expect(try !trial.conversion.convertAtOnce(long.span, isLast: false, clock))
    }

    @Test func `a document is due 100 ms after its first output, and not before`() throws {
        let trial = try Trial()
        #expect(!trial.conversion.isDue(at: Self.moment(0)))
        #expect(trial.conversion.deadline == nil)
        try trial.take(#"[{ "firstName" : 1 },"#)
        #expect(!trial.conversion.isDue(at: Self.moment(50)))
        #expect(trial.conversion.deadline == Self.moment(150))
        #expect(!trial.conversion.isDue(at: Self.moment(149)))
        #expect(trial.conversion.isDue(at: Self.moment(150)))
        trial.conversion.commit(trial.encoders)
        #expect(trial.conversion.deadline == nil && !trial.conversion.isDue(at: Self.moment(1000)))
    }

    @Test func `64 KiB of output and the first record of NDJSON are due at once`() throws {
        let large = try Trial()
        try large.take("\"" + String(repeating: "x", count: 64 * 1024 - 2))
        #expect(!large.conversion.isDue(at: Self.moment(0)))
        try large.take("x")
        #expect(large.conversion.isDue(at: Self.moment(0)))
        let lines = try Trial(.lines)
        try lines.take(#"{ "firstName" : 1 }"#)
        #expect(!lines.conversion.isDue(at: Self.moment(0)))
        try lines.take("\n")
        #expect(lines.conversion.isDue(at: Self.moment(0)))
    }

    @Test func `a response is due early when all connections buffer too much`()
        throws
    {
        let step = Reservation.smallBytes
        let trial = try Trial(keepsOriginal: true, maxHeldBytes: 5 * step)
        // White space gives no output, and the output of the rest is shorter than a step.
        try trial.take("[ 1, 2 ]" + String(repeating: " ", count: 2 * step))
        #expect(trial.heldBytes.count == 2 * step)
        #expect(!trial.conversion.isDue(at: Self.moment(0)))
        trial.heldBytes.add(4 * step)
        #expect(trial.conversion.isDue(at: Self.moment(0)))
        trial.conversion.commit(trial.encoders)
        #expect(trial.heldBytes.count == 4 * step)
        #expect(trial.conversion.takeOriginal() == nil)
    }

    @Test func `the input can be sent unchanged until the first output is sent`() throws {
        let trial = try Trial(keepsOriginal: true)
        try trial.take("[ 1 ,")
        #expect(throws: Problem.self) { try trial.take(" }") }
        #expect(trial.conversion.takeOriginal() == Array("[ 1 , }".utf8))
        #expect(trial.heldBytes.count == 0)
    }

    @Test func `a stream releases the room of a long payload when the payload ends`() throws {
        let profiles = try GatewayTrial.profiles(["mobile": GatewayTrial.mobile])
        let order = ConversionOrder(
            recipe: try profiles.recipe("mobile", .forward), type: .lines, contentType: "")
        let conversion = PayloadConversion(order, ConverterPool())
        let stream = StreamConversion(conversion, PayloadStream(.events), withholds: false) { _ in }
        let text = String(repeating: "x", count: 2 * PayloadStream.maxKeptBytes)
        stream.take(Array("data: {\"firstName\":\"\(text)\"}\n\n".utf8).span)
        while stream.hasWork { try stream.step { MonotonicTime(nanoseconds: 0) } }
        let (sent, kept) = (stream.output.count, conversion.unit.output.capacity)
        #expect(sent == "data: {\"fn\":\"\(text)\"}\n\n".utf8.count)
        #expect(kept <= PayloadStream.maxKeptBytes)
    }

    @Test func `output that the client has, or that waits for it, keeps little storage`() throws {
        let trial = try Trial()
        try trial.take("[\"" + String(repeating: "x", count: 200_000))
        trial.conversion.commit(trial.encoders)
        #expect(trial.send().utf8.count > 100_000)
        let capacity = trial.conversion.conversion.unit.output.capacity
        #expect(capacity <= 16 * 1024)
    }

    @Test func `a text that is not labelled as JSON counts as an error of JSON`() throws {
        let trial = try Trial(isLabelled: false)
        #expect(throws: Problem.self) { try trial.take("Internal Server Error") }
        #expect(trial.conversion.conversion.result == .failed(.json))
    }

    @Test func `a body that is cut off cannot be finished`() throws {
        let plain = try Trial()
        try plain.take("[1")
        #expect(throws: Problem.self) { try plain.conversion.finish() }
    }
}
