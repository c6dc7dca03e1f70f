import TestSupport
import Testing

/// Passes the bytes of a case to a connection, and records the events as lines.
protocol WireTranscript: ~Copyable {
    init(of wireCase: WireCase, tellsOffsets: Bool)

    mutating func pump(_ piece: [UInt8])

    /// Ends the connection as the case says, and records the result.
    mutating func finish()

    var lines: [String] { get }
    /// Errors in the connection's behaviour that the lines do not show.
    var complaints: [String] { get }
}

extension WireTranscript where Self: ~Copyable {
    /// Passes `bytes` in pieces that end at `cuts`, in ascending order, and at the end.
    mutating func play(_ bytes: [UInt8], cuts: [Int] = []) {
        var start = 0
        for end in cuts + [bytes.count] {
            pump(Array(bytes[start..<end]))
            start = end
        }
    }

    /// The lines for `bytes`. There must be no complaints.
    static func lines(
        of wireCase: WireCase, _ bytes: [UInt8], cuts: [Int], tellsOffsets: Bool = false
    ) -> [String] {
        var transcript = Self(of: wireCase, tellsOffsets: tellsOffsets)
        transcript.play(bytes, cuts: cuts)
        transcript.finish()
        let complaints = transcript.complaints
        #expect(complaints == [], "\(wireCase.name), cut at \(cuts.prefix(8)): \(EscapedBytes.encode(bytes))")
        return transcript.lines
    }
}
