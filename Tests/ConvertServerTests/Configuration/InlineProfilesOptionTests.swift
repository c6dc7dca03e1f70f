import Testing

@testable import ConvertServer
@testable import HTTPServer
@testable import Sockets

struct InlineProfilesOptionTests {
    @Test func `a flag, a variable and the file set whether requests may have profiles`() throws {
        let nothing = ProcessEnvironment { _ in nil }
        for choice in InlineProfiles.allCases {
            let text = choice.rawValue
            let flagged = Settings(flags: ["inline-profiles": [text]], environment: nothing)
            let variable = ProcessEnvironment { $0 == "CONVERT_INLINE_PROFILES" ? text : nil }
            let named = Settings(flags: [:], environment: variable)
            var filed = Settings(flags: [:], environment: nothing)
            filed.file = ConfigurationFile(text: "{ \"inlineProfiles\": \"\(text)\" }")
            for settings in [flagged, named, filed] {
                #expect(try ServerConfiguration(settings).inlineProfiles == choice)
            }
        }
        #expect(try ServerConfiguration(Settings(flags: [:], environment: nothing)).inlineProfiles == .auto)
        #expect(throws: Failure.self) {
            try ServerConfiguration(Settings(flags: ["inline-profiles": ["yes"]], environment: nothing))
        }
        #expect(ConfigurationFile(text: #"{ "inlineProfiles": "yes" }"#).faults.count == 1)
        var other = ServerConfiguration()
        other.inlineProfiles = .off
        #expect(ServerConfiguration().limitsChanged(in: other) == ["inlineProfiles"])
    }
}
