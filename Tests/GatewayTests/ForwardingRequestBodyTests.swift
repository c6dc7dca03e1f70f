import ConvertEngine
import ConvertProfiles
import GatewayTestSupport
import HTTPWire
import Testing
import Text

@testable import Conversions
@testable import Gateway
@testable import HTTPSemantics
@testable import Sockets
@testable import Upstreams

struct ForwardingRequestBodyTests {
    /// A body that the profile `mobile` converts, and the bytes that an upstream would get.
    private final class Trial {
        let body: ForwardingRequestBody
        let heldBytes = MemoryBudget()
        private(set) var received: [UInt8] = []

        init(isBuffered: Bool = false, onError: ErrorPolicy = .fail, maxHeldBytes: Int = 1 << 28) throws {
            let profiles = try GatewayTrial.profiles(["mobile": GatewayTrial.mobile])
            let reference = ProfileReference(
                name: "mobile", location: DocumentLocation(pointer: "", line: 1, column: 1))
            var rule = RequestRule(plan: reference, onError: onError)
            rule.isBuffered = isBuffered
            let order = ConversionOrder(recipe: try profiles.use(reference).recipe, type: .json, contentType: "")
            body = ForwardingRequestBody(
                PayloadConversion(order, ConverterPool()), rule, Reservation(heldBytes, maxBytes: maxHeldBytes))
        }

        func convert(_ text: String) throws {
            let bytes = Array(text.utf8)
            body.keepOriginal(bytes.span)
            try body.convert(bytes.span) { MonotonicTime(nanoseconds: 0) }
        }

        func finish() throws {
            try body.finishConversion()
            body.complete()
        }

        func send() {
            var sent: [UInt8] = []
            body.takeOutput { sent.append(span: $0) }
            received += sent
        }

        var text: String { String(decoding: received, as: UTF8.self) }
    }

    @Test func `a small body has a length, and is not sent before its end`() throws {
        let trial = try Trial()
        try trial.convert(#"{ "firstName""#)
        let hasOutput = trial.body.hasOutput
        #expect(!hasOutput)
        try trial.convert(#" : 1 }"#)
        try trial.finish()
        #expect(trial.body.framing == .sized(8))
        trial.send()
        #expect(trial.text == #"{"fn":1}"#)
        #expect(trial.body.sent.bytes == Array(#"{"fn":1}"#.utf8))
    }

    @Test func `a body above a mebibyte is chunked, and a buffered one has a length`() throws {
        let piece = #"{"firstName":"\#(String(repeating: "x", count: 1024))"}"#
        for isBuffered in [false, true] {
            let trial = try Trial(isBuffered: isBuffered)
            try trial.convert("[" + piece)
            for _ in 0..<1023 { try trial.convert("," + piece) }
            #expect(trial.body.framing == (isBuffered ? nil : .chunked))
            try trial.convert("]")
            try trial.finish()
            // Each element is 1,024 letters in `{"fn":""}`; there are 1,023 commas and two brackets.
            let length = 1024 * (1024 + 9) + 1025
            #expect(trial.body.framing == (isBuffered ? .sized(length) : .chunked))
            trial.send()
            #expect(trial.received.count == length)
            let isHeld = trial.body.sent.isHeld
            #expect(!isHeld)
        }
    }

    /// Storage without bytes is not counted, so a client that pauses must not keep much of it.
    @Test func `sent output keeps little storage`() throws {
        let trial = try Trial()
        try trial.convert("[\"" + String(repeating: "x", count: 200_000))
        trial.send()
        #expect(trial.received.count > 100_000)
        let capacity = try #require(trial.body.conversion).unit.output.capacity
        #expect(capacity <= 16 * 1024)
    }

    @Test func `a body with an error passes through unchanged only if the route allows it`() throws {
        let strict = try Trial()
        #expect(throws: Problem.self) {
            try strict.convert("{,}")
            try strict.finish()
        }
        let strictCan = strict.body.canBeLeft
        #expect(!strictCan)
        let lenient = try Trial(onError: .pass)
        try lenient.convert(#"[ 1, "#)
        #expect(throws: Problem.self) { try lenient.convert("}") }
        let lenientCan = lenient.body.canBeLeft
        #expect(lenientCan)
        lenient.body.leave(.sized(6))
        #expect(lenient.body.framing == .sized(6))
        lenient.send()
        #expect(lenient.text == "[ 1, }")
    }

    @Test func `buffered output is counted until it is sent, and is limited when memory is short`() throws {
        let step = Reservation.smallBytes
        let trial = try Trial(maxHeldBytes: 10 * step)
        try trial.convert("[\"" + String(repeating: "a", count: 4 * step))
        #expect(trial.heldBytes.count == 4 * step)
        #expect(trial.body.framing == nil)
        // Six steps would leave only four to others.
        try trial.convert(String(repeating: "a", count: 2 * step))
        #expect(trial.body.framing == .chunked)
        #expect(trial.heldBytes.count == 6 * step)
        trial.send()
        #expect(trial.heldBytes.count == 0)
    }

    @Test func `a buffered body is refused if it leaves too little memory to others`() throws {
        let step = Reservation.smallBytes
        let trial = try Trial(isBuffered: true, maxHeldBytes: 10 * step)
        trial.heldBytes.add(7 * step)
        try trial.convert("[\"" + String(repeating: "a", count: step))
        let problem = #expect(throws: Problem.self) { try trial.convert(String(repeating: "a", count: step)) }
        #expect(problem == .buffersFull)
    }

    @Test func `an unchanged empty body is complete at once`() {
        let rows: [(RequestBody, Bool)] = [(.none, true), (.sized(0), true), (.sized(1), false), (.chunked, false)]
        for (framing, isComplete) in rows {
            let body = ForwardingRequestBody(passing: framing, Reservation(MemoryBudget(), maxBytes: 0))
            #expect(body.isComplete == isComplete, "\(framing)")
            #expect(body.framing == framing)
        }
    }

    @Test func `an unchanged body is buffered up to a limit, counted, and kept for a retry`() {
        let heldBytes = MemoryBudget()
        let reservation = Reservation(heldBytes, maxBytes: 1 << 28)
        let body = ForwardingRequestBody(passing: .chunked, maxGatheredBytes: 100_000, reservation)
        let piece = [UInt8](repeating: 7, count: 30_000)
        for count in 1...3 {
            let (isKept, sentCount) = (body.gather(piece.span), body.sent.count)
            #expect(isKept && sentCount == count * piece.count)
        }
        // 90,000 bytes are 21 whole steps and a remainder.
        #expect(heldBytes.count == 21 * Reservation.stepBytes)
        let (isKept, isReady) = (body.gather(piece.span), body.isReady)
        #expect(!isKept && !isReady)
        body.complete()
        let (isReadyThen, sentCount) = (body.isReady, body.sent.bytes.count)
        #expect(isReadyThen && sentCount == 90_000)
        body.forgetSent()
        #expect(heldBytes.count == 0)
        for framing in [RequestBody.chunked, .sized(5)] {
            let direct = ForwardingRequestBody(passing: framing, Reservation(MemoryBudget(), maxBytes: 1 << 28))
            let isReadyAtOnce = direct.isReady
            #expect(isReadyAtOnce)
        }
    }

    @Test func `the copy for a retry is counted, and discarded if there is no room`() {
        let heldBytes = MemoryBudget()
        let body = ForwardingRequestBody(passing: .sized(60_000), Reservation(heldBytes, maxBytes: 100_000))
        let piece = [UInt8](repeating: 7, count: 36_000)
        body.pass(piece.span)
        let isHeld = body.sent.isHeld
        #expect(isHeld && heldBytes.count == 8 * Reservation.stepBytes)
        heldBytes.add(60_000)
        body.pass([7].span)
        let isHeldStill = body.sent.isHeld
        #expect(!isHeldStill && heldBytes.count == 60_000)
    }

    @Test func `the copy of converted bytes is discarded, too, if there is no room`() throws {
        let trial = try Trial(maxHeldBytes: 100_000)
        trial.heldBytes.add(60_000)
        try trial.convert("[\"" + String(repeating: "x", count: 36_000))
        #expect(trial.body.framing == .chunked)
        trial.send()
        #expect(trial.received.count > 30_000)
        let isHeld = trial.body.sent.isHeld
        #expect(!isHeld && trial.heldBytes.count == 60_000)
    }

    @Test func `a sent body of up to 64 KiB is kept for a retry`() {
        var sent = SentBody(maxBytes: RetryRule.maxHeldBytes)
        let half = [UInt8](repeating: 7, count: RetryRule.maxHeldBytes / 2)
        sent.append(half.span)
        sent.append(half.span)
        #expect(sent.isHeld && sent.bytes.count == 65536)
        sent.append([1].span)
        #expect(!sent.isHeld && sent.bytes.isEmpty)
    }
}
