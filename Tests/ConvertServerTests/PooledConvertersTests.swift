import TestSupport
import Testing

@testable import ConvertServer

/// Converters serve one request after another: the input of one client does not affect the output for another.
struct PooledConvertersTests {
    private static let profile = #"{"values":{"at":"/j","as":"json"},"output":{"escapes":"ascii"}}"#

    @Test func `a truncated payload does not change the responses to other clients`() throws {
        let server = try LiveServer(profiles: ["text": Self.profile], "--loops", "1")
        let path = "/v1/convert/text?direction=inverse"
        for (broken, status) in [(#"{"j":[1,x]}"#, 400), (#"{"j":["é"#, 400), (#"{"j":{"a":1,"a":2}}"#, 422)] {
            for payload in [#"{"a":"é"}"#, broken, #"{"a":"é"}"#] {
                let response = try server.post(path, payload)
                if payload == broken {
                    #expect(HTTPText.status(response) == status)
                } else {
                    #expect(HTTPText.body(response) == #"{"a":"\u00e9"}"#, "after \(broken)")
                }
            }
        }
    }
}
