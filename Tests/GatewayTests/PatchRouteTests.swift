import ConvertEngine
import ConvertProfiles
import GatewayTestSupport
import Testing

@testable import Conversions
@testable import Gateway
@testable import HTTPSemantics

/// Routes with `request.patch`: decisions that need only the head and the configuration.
struct PatchRouteTests {
    private static let cased = #"{ "keys": { "case": "camelCase", "from": "snake_case" } }"#

    private static func trial(_ members: String) throws -> GatewayTrial {
        try GatewayTrial(
            routes:
                #"{ "match": "/", "upstream": "shop", "request": { "profile": "p", "direction": "inverse"\#(members) } }"#,
            profiles: ["p": cased])
    }

    private static func body(_ type: String, _ trial: GatewayTrial, _ fields: String = "") throws -> RequestRuling {
        try trial.forward("PATCH /x HTTP/1.1\nContent-Type: \(type)\(fields)", hasBody: true).body
    }

    @Test func `only JSON Patches are converted as patches, and only with patch`() throws {
        let (plain, patching) = (try Self.trial(""), try Self.trial(#", "patch": true, "required": true"#))
        let patch = "application/json-patch+json"
        #expect(try Self.body(patch, plain) == .convert(.document, coding: .identity))
        #expect(try Self.body(patch, try Self.trial(#", "patch": false"#)) == .convert(.document, coding: .identity))
        for type in [patch, "Application/JSON-Patch+JSON; charset=utf-8"] {
            #expect(try Self.body(type, patching) == .convertPatch(coding: .identity), "\(type)")
        }
        #expect(try Self.body(patch, patching, "\nContent-Encoding: gzip") == .convertPatch(coding: .gzip))
        for type in ["application/merge-patch+json", "application/json", "application/problem+json"] {
            #expect(try Self.body(type, patching) == .convert(.document, coding: .identity), "\(type)")
        }
        for fields in ["\nContent-Encoding: br", "\nContent-Type: text/plain"] {
            let problem = #expect(throws: Problem.self) { try Self.body(patch, patching, fields) }
            #expect(problem?.status == 415)
        }
    }

    @Test func `patch is refused with profiles that cannot be applied to a part of a document`() throws {
        let profiles = [
            "plain": Self.cased, "requiring": #"{ "require": "/a" }"#, "pruning": #"{ "prune": { "null": true } }"#,
            "hiding": #"{ "drop": "secret" }"#, "moving": #"{ "move": { "/a": "/b" } }"#,
            "nulling": #"{ "dates": { "at": "a", "from": "epoch-s" }, "on": { "badValue": "null" } }"#,
        ]
        let set = try GatewayTrial.profiles(profiles)
        let rows: [(route: String, message: String?)] = [
            (#""request": { "profile": "plain", "direction": "inverse", "patch": true }"#, nil),
            (#""request": { "profile": "requiring", "direction": "inverse", "patch": true }"#, nil),
            (#""request": { "profile": "requiring", "patch": true }"#, "cannot apply `require`"),
            (#""request": { "profile": "requiring", "patch": false }"#, nil),
            (#""request": { "profile": "pruning", "patch": true }"#, "cannot apply `prune`"),
            (#""request": { "profile": "hiding", "patch": true }"#, "cannot apply `drop`"),
            (#""request": { "profile": "hiding", "direction": "inverse", "patch": true }"#, nil),
            (#""request": { "profile": "moving", "direction": "inverse", "patch": true }"#, "cannot apply `move`"),
            (
                #""request": { "profile": "nulling", "direction": "inverse", "patch": true }"#,
                "cannot apply `badValue: null`"
            ),
            (
                #""request": { "profile": "plain", "patch": true }, "response": { "profile": "hiding" }"#,
                "needs `required: true`"
            ),
            (
                #""request": { "profile": "plain", "patch": true, "required": true, "onError": "pass" }, "response": { "profile": "hiding" }"#,
                "needs `required: true`"
            ),
            (
                #""request": { "profile": "plain", "patch": true, "required": true }, "response": { "profile": "hiding" }"#,
                nil
            ),
        ]
        for (members, message) in rows { GatewayTrial.expectContradiction(message, of: members, set) }
    }

    @Test func `a route that withholds refuses a JSON Patch unless it has patch`() throws {
        let hiding = #""response": { "profile": "hiding" }"#
        let plain = #""request": { "profile": "p", "direction": "inverse" }"#
        let profiles = ["p": Self.cased, "hiding": #"{ "drop": "/**/ssn" }"#]
        func status(_ members: String, _ type: String, hasBody: Bool = true) throws -> Int? {
            let trial = try GatewayTrial(
                routes: #"{ "match": "/", "upstream": "shop", \#(members) }"#, profiles: profiles)
            do {
                _ = try trial.forward("PATCH /x HTTP/1.1\nContent-Type: \(type)", hasBody: hasBody)
                return nil
            } catch let problem as Problem {
                return problem.status
            }
        }
        let patch = "application/json-patch+json"
        let withholding = [
            hiding, "\(plain), \(hiding)", #""request": { "profile": "hiding" }"#,
            #""request": { "profile": "p", "direction": "inverse", "patch": true, "required": true }, \#(hiding)"#,
        ]
        for (index, members) in withholding.enumerated() {
            #expect(try status(members, patch) == (index == 3 ? nil : 415), "\(members)")
            #expect(try status(members, "Application/JSON-Patch+JSON; v=1, text/plain") == 415, "\(members)")
            #expect(try status(members, "application/json-patch-query+json") == 415, "\(members)")
            #expect(try status(members, "\(patch)\nContent-Encoding: br") == 415, "\(members)")
            #expect(try status(members, "\(patch); charset=utf-16") == 415, "\(members)")
            #expect(try status(members, "application/merge-patch+json") == nil, "\(members)")
            #expect(try status(members, "application/json") == nil, "\(members)")
            #expect(try status(members, patch, hasBody: false) == nil, "\(members)")
        }
        #expect(try status(plain, patch) == nil)
    }
}
