import Testing

@testable import ConvertEngine

struct UniqueArrayTests {
    @Test func `elements do not change while the array grows and shrinks`() {
        var array = UniqueArray<Int32>()
        #expect(array.isEmpty == true)
        for number in 0..<1000 { array.append(Int32(number)) }
        #expect(array.count == 1000)
        for index in 0..<1000 { #expect(array[index] == Int32(index)) }
        array[999] = -1
        #expect(array.removeLast() == -1)
        array.truncate(to: 10)
        #expect(array.count == 10 && array.removeLast() == 9)
        array.removeAll()
        #expect(array.isEmpty == true)
        array.append(5)
        #expect(array[0] == 5)
    }

    @Test func `a repeated element fills the array`() {
        for count in [0, 1, 16, 33] {
            let array = UniqueArray<UInt64>(repeating: 9, count: count)
            #expect(array.count == count)
            for index in 0..<count { #expect(array[index] == 9) }
        }
    }
}
