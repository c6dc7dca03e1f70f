import Testing

@testable import ConvertEngine
@testable import ConvertProfiles

struct ProfileExampleRunningTests {
    private static let location = DocumentLocation(pointer: "/examples/3", line: 7, column: 5)

    private static func fault(_ input: String, _ output: String, under plan: Plan = .minify()) -> ProfileFault? {
        ProfileExample(input: Array(input.utf8), output: Array(output.utf8), location: location).fault(under: plan)
    }

    @Test func `examples are compared without white space and the spelling of escapes`() {
        let rows = [
            ("[1,2]", "[ 1 ,\n2 ]"), (#""\u00e9\/""#, "\"é/\""), (#"{"\u0061": 1}"#, #"{"a":1}"#), ("{ }", "{}"),
        ]
        for (input, output) in rows {
            #expect(Self.fault(input, output) == nil, "\(input)")
            #expect(Self.fault(input, output, under: .minify(output: OutputOptions(indent: 4, escapes: .ascii))) == nil)
        }
    }

    @Test func `examples are compared with the order, the digits and all values`() {
        let rows = [
            ("[1,2]", "[2,1]"), (#"{"a":1,"b":2}"#, #"{"b":2,"a":1}"#), ("1.0", "1"), ("1e2", "100"), ("[]", "{}"),
            ("\"a\"", "\"A\""), ("null", "false"),
        ]
        for (input, output) in rows { #expect(Self.fault(input, output) != nil, "\(input)") }
    }

    @Test func `the error has the example's position and the found and expected output`() {
        let fault = Self.fault("[ 1 ]", "[ 2 ]")
        #expect(fault?.pointer == "/examples/3")
        #expect(fault?.line == 7)
        #expect(fault?.column == 5)
        #expect(fault?.message == "the example gives [1], not [2]")
    }

    @Test func `a payload that cannot be converted is reported with its code and position`() throws {
        let plan = try Profile(parsing: Array(#"{"dates":{"at":"/a"}}"#.utf8)).compile(.forward)
        let fault = Self.fault(#"{"a":"never"}"#, "{}", under: plan)
        #expect(fault?.message.hasPrefix("the example fails: badValue: ") == true)
        #expect(fault?.message.hasSuffix(" at /a") == true)
    }

    @Test func `an example with a very long output is stopped`() throws {
        // The whole result would have 100,000 times 50,000 bytes.
        let name = String(repeating: "n", count: 50_000)
        let plan = try Profile(parsing: Array("{\"rename\":{\"a\":\"\(name)\"}}".utf8)).compile(.forward)
        let input = "[" + String(repeating: "{\"a\":1},", count: 100_000) + "1]"
        let message = try #require(Self.fault(input, "[]", under: plan)?.message)
        #expect(message.hasPrefix("the example gives [{\"nnnn"))
        #expect(message.hasSuffix(" …, not []"))
    }

    @Test func `indentation does not count in a result`() throws {
        let deep = String(repeating: "[", count: 200) + "1" + String(repeating: "]", count: 200)
        let document = "{\"output\":{\"indent\":16},\"examples\":[{\"in\":\(deep),\"out\":\(deep)}]}"
        #expect(ProfileReport(checking: Array(document.utf8)).failedExamples.isEmpty)
    }

    @Test func `a long result is cut`() throws {
        let long = "\"" + String(repeating: "x", count: 100_000) + "\""
        let message = try #require(Self.fault(long, "1")?.message)
        #expect(message.utf8.count < 1000)
    }
}
