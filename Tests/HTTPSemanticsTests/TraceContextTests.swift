import TestSupport
import Testing

@testable import HTTPSemantics

/// `traceparent` as W3C Trace Context, level 1, section 3.2 defines it.
struct TraceContextTests {
    private static let traceID = "4bf92f3577b34da6a3ce929d0e0e4736"
    private static let parentID = "00f067aa0ba902b7"

    private func read(_ text: String) -> TraceContext? { TraceContext(Array(text.utf8)[...]) }

    @Test func `valid traces are read, and the known part of later versions`() throws {
        for (text, isSampled) in [
            ("00-\(Self.traceID)-\(Self.parentID)-01", true), ("00-\(Self.traceID)-\(Self.parentID)-00", false),
            ("00-\(Self.traceID)-\(Self.parentID)-fe", false), ("cc-\(Self.traceID)-\(Self.parentID)-01", true),
            ("01-\(Self.traceID)-\(Self.parentID)-01-what-the-future-will-be-like", true),
        ] {
            let trace = try #require(read(text), "\(text)")
            #expect(trace.traceID == 0x4bf9_2f35_77b3_4da6_a3ce_929d_0e0e_4736)
            #expect(trace.parentID == 0x00f0_67aa_0ba9_02b7)
            #expect(trace.isSampled == isSampled, "\(text)")
        }
    }

    @Test func `an invalid field is not a trace`() {
        for text in [
            "", "00", "ff-\(Self.traceID)-\(Self.parentID)-01", "00-\(Self.traceID)-\(Self.parentID)-01-extra",
            "00-\(Self.traceID)-\(Self.parentID)-0", "00-\(Self.traceID.uppercased())-\(Self.parentID)-01",
            "00-\(String(repeating: "0", count: 32))-\(Self.parentID)-01",
            "00-\(Self.traceID)-\(String(repeating: "0", count: 16))-01", "00_\(Self.traceID)-\(Self.parentID)-01",
            "00-\(Self.traceID)-\(Self.parentID)-0g", "01-\(Self.traceID)-\(Self.parentID)-01.more",
            "00-\(Self.traceID.dropLast())g-\(Self.parentID)-01",
        ] {
            #expect(read(text) == nil, "\(text)")
        }
        #expect(TraceContext(HTTPText.fields("traceparent: 00-\(Self.traceID)-\(Self.parentID)-01")) != nil)
        let twice = "traceparent: 00-\(Self.traceID)-\(Self.parentID)-01"
        #expect(TraceContext(HTTPText.fields("\(twice)\n\(twice)")) == nil)
    }

    @Test func `the upstream gets the trace with another parent, as version 00`() throws {
        let trace = try #require(read("01-\(Self.traceID)-\(Self.parentID)-ff-more"))
        #expect(TraceContext.Continued(from: trace, spanID: 10).field == "00-\(Self.traceID)-000000000000000a-01")
        #expect((0..<100).allSatisfy { _ in trace.continued().spanID != 0 })
    }
}
