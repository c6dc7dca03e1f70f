import ConvertText
import TestSupport
import Testing

@testable import ConvertEngine

struct InputPositionTests {
    @Test func `a position in an earlier piece has the correct line`() {
        var random = SeededGenerator(seed: 80)
        for _ in 0..<2_000 {
            let count = Int.random(in: 1...80, using: &random)
            let text = (0..<count).map { _ in Array("a \n\n".utf8).randomElement(using: &random) ?? 0 }
            let open = Int.random(in: 0..<text.count, using: &random)
            var position = InputPosition()
            var start = 0
            while start < text.count {
                let piece = Array(text[start..<min(text.count, start + .random(in: 1...40, using: &random))])
                start += piece.count
                let mark = position.mark
                position.advance(
                    piece.count, lineFeeds: piece.count { $0 == ASCII.lineFeed }, in: piece.span,
                    open: open < start ? open : nil)
                position.findLine(in: piece.span, before: piece.count, since: mark)
            }
            for offset in open..<text.count where text[offset] == ASCII.a {
                let line = position.line(of: offset, in: [UInt8]().span)
                let before = text[..<offset]
                #expect(line.number == before.count { $0 == ASCII.lineFeed }, "\(text), \(open), \(offset)")
                #expect(line.start == (before.lastIndex(of: ASCII.lineFeed) ?? -1) + 1, "\(text), \(open), \(offset)")
            }
        }
    }

    @Test func `lines before what is open are forgotten`() {
        var position = InputPosition()
        let line = Array("a\n".utf8)
        for number in 0..<10_000 {
            position.advance(line.count, lineFeeds: 1, in: line.span, open: number * line.count)
        }
        #expect(position.storedBytes < 1024)
        #expect(position.line(of: 9_999 * line.count, in: [UInt8]().span).number == 9_999)
    }
}
