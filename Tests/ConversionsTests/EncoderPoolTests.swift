import ConvertEngine
import TestSupport
import Testing

@testable import ContentCodings
@testable import Conversions
@testable import HTTPSemantics

struct EncoderPoolTests {
    @Test func `encoders of unfinished responses are counted until they are returned or discarded`() {
        let held = MemoryBudget()
        let pool = EncoderPool(held, maxHeldBytes: 600 * 1024)
        let first = pool.takeToStream(.gzip)
        #expect(held.count == 280 * 1024)
        #expect(pool.hasRoom(toStream: .gzip) && !pool.hasRoom(toStream: .zstd))
        var second: EncoderPool.Unit? = pool.takeToStream(.gzip)
        #expect(held.count == 560 * 1024 && second?.coding == .gzip)
        #expect(!pool.hasRoom(toStream: .gzip) && pool.hasRoom(toStream: .identity))
        second = nil
        #expect(held.count == 280 * 1024)
        pool.giveBack(first)
        #expect(held.count == 0)
        #expect(pool.take(.gzip) === first && held.count == 0)
    }

    @Test func `a pool's encoders encode several contents, even after an unfinished one`() throws {
        let pool = EncoderPool()
        let (text, longer) = (CodingSamples.text, CodingSamples.all[4])
        for coding in ContentCoding.applied {
            // The pool keeps fewer encoders than are used at the same time.
            let units = (0..<10).map { _ in pool.take(coding) }
            for (index, unit) in units.enumerated() {
                unit.encode(longer.span)
                if index.isMultiple(of: 2) { unit.finish() }
                pool.giveBack(unit)
            }
            for _ in 0..<10 {
                let unit = pool.take(coding)
                #expect(unit.coding == coding && unit.output.isEmpty)
                unit.encode(text.span)
                unit.finish()
                #expect(try PythonCoding.decode([UInt8](unit.output), coding) == text, "\(coding)")
                pool.giveBack(unit)
            }
        }
    }
}
