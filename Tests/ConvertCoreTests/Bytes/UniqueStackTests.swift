import Testing

@testable import ConvertEngine

struct UniqueStackTests {
    @Test func `the lower elements do not change while the stack grows and shrinks`() {
        var stack = UniqueStack<Int32>(-1)
        #expect(stack.depth == 0)
        for number in 0..<1000 {
            stack.push(Int32(number))
            stack.top += 1
        }
        #expect(stack.depth == 1000)
        for index in 1...1000 { #expect(stack[index] == Int32(index)) }
        stack[0] = -2
        stack[999] = 7
        stack.pop()
        #expect(stack.top == 7)
        stack.removeAllAboveBottom()
        #expect(stack.depth == 0 && stack.top == -2)
        stack.push(5)
        #expect(stack[0] == -2 && stack[1] == 5)
    }
}
