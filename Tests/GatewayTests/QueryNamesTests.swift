import ConvertEngine
import ConvertProfiles
import GatewayTestSupport
import Testing

@testable import Conversions
@testable import Gateway
@testable import HTTPSemantics

/// Queries on routes with `request.query`.
struct QueryNamesTests {
    private static let cased = #"{ "keys": { "case": "camelCase", "from": "snake_case" } }"#
    private static let placed = """
        { "rename": { "/items/*/created_at": "ca", "/items/*/author/full_name": "name", "/created_at": "top" },
          "keys": { "case": "camelCase", "from": "snake_case", "opaque": "/items/*/labels" } }
        """
    private static let values =
        #""values": { "sort": "names", "fields": "names", "key": "name", "in": "path", "at": "pointer" }"#

    private static func trial(
        _ query: String, _ profile: String = cased, direction: String = "inverse", response: String? = nil
    ) throws -> GatewayTrial {
        let responseRule = response == nil ? "" : #", "response": { "profile": "responses" }"#
        return try GatewayTrial(
            routes:
                #"{ "match": "/", "upstream": "shop", "request": { "profile": "p", "direction": "\#(direction)", "query": \#(query) }\#(responseRule) }"#,
            profiles: ["p": profile, "responses": response ?? "{}"])
    }

    private static func sent(_ query: String, _ trial: GatewayTrial) throws -> String {
        let target = try trial.forward("GET /x?\(query) HTTP/1.1").target
        return String(String(decoding: target, as: UTF8.self).dropFirst(3))
    }

    private static func check(_ rows: [(String, String)], _ trial: GatewayTrial) throws {
        for (query, expected) in rows { #expect(try sent(query, trial) == expected, "\(query)") }
    }

    // MARK: Parameters that are mapped

    @Test func `names of parameters are converted to the backend's, and nothing else changes`() throws {
        try Self.check(
            [
                ("createdAt=2024", "created_at=2024"), ("page=2&pageSize=10", "page=2&page_size=10"),
                ("filter[createdAt]=x", "filter[created_at]=x"),
                ("filter%5BcreatedAt%5d=x", "filter%5Bcreated_at%5d=x"),
                ("homeAddress.zipCode=1", "home_address.zip_code=1"),
                ("homeAddress[zipCode][]=1", "home_address[zip_code][]=1"),
                ("items[0][unitPrice]=1", "items[0][unit_price]=1"),
                // Values, empty parts and signs stay as the client wrote them.
                ("createdAt", "created_at"), ("createdAt=", "created_at="), ("", ""), ("&&a=1&", "&&a=1&"),
                ("=createdAt", "=createdAt"), ("createdAt=a=b", "created_at=a=b"),
                ("createdAt=%7e+%20createdAt", "created_at=%7e+%20createdAt"),
                ("createdAt=1&createdAt=2", "created_at=1&created_at=2"),
                // An escaped letter counts as the letter; only a key that changes is written without escapes.
                ("created%41t=1", "created_at=1"), ("cr%65ated=1", "cr%65ated=1"),
                // The profile does not produce keys of these forms, or cannot reverse them.
                ("created_at=1", "created_at=1"), ("utm_source=a", "utm_source=a"), ("_=1", "_=1"),
                ("dc:title=1", "dc:title=1"), ("%zz=1&createdAt=1", "%zz=1&created_at=1"),
                ("%ff=1&createdAt=1", "%ff=1&created_at=1"), ("nom%C3%A9Ville=1", "nom%C3%A9_ville=1"),
            ], try Self.trial("true"))
    }

    @Test func `a changed name is encoded again`() throws {
        let trial = try Self.trial("true", ##"{ "rename": { "é&=#+ %": "e", "a[b].c": "abc" } }"##)
        try Self.check(
            [
                ("e=1", "%C3%A9%26%3D%23%2B%20%25=1"), ("abc=1", "a%5Bb%5D.c=1"),
                ("x[e]=1", "x[%C3%A9%26%3D%23%2B%20%25]=1"),
            ], trial)
        // A plus sign means a space to many, so it stays what it was.
        try Self.check(
            [("createdAt+=1", "created_at+=1"), ("createdAt%2B=1", "created_at%2B=1")], Self.trial("true"))
    }

    @Test func `values are names, lists of names, paths or pointers`() throws {
        try Self.check(
            [
                ("sort=createdAt", "sort=created_at"), ("sort=-createdAt,title", "sort=-created_at,title"),
                ("sort=%2DcreatedAt%2Ctitle", "sort=%2Dcreated_at%2Ctitle"),
                ("sort=+createdAt,,", "sort=+created_at,,"), ("sort=createdAt:desc", "sort=created_at:desc"),
                ("sort=createdAt%20ASC,lineItems.unitPrice+desc", "sort=created_at%20ASC,line_items.unit_price+desc"),
                ("sort=author[fullName]", "sort=author[full_name]"), ("sort=createdAt:other", "sort=createdAt:other"),
                ("sort=", "sort="), ("sort", "sort"),
                ("sort[]=orgId&sort[1]=unitPrice", "sort[]=org_id&sort[1]=unit_price"),
                ("fields[users]=orgId,id", "fields[users]=org_id,id"), ("Sort=createdAt", "Sort=createdAt"),
                ("sorting=createdAt", "sorting=createdAt"), ("sort=%zz,createdAt", "sort=%zz,createdAt"),
                ("key=homeAddress.zipCode", "key=homeAddress.zipCode"), ("key=zipCode", "key=zip_code"),
                ("in=homeAddress.0.zipCode", "in=home_address.0.zip_code"),
                ("at=/homeAddress/zipCode", "at=/home_address/zip_code"), ("at=homeAddress", "at=homeAddress"),
                ("at=%2FhomeAddress%2f0", "at=%2Fhome_address%2f0"), ("at=/a~1bC/dE", "at=/a~1bC/d_e"),
                ("q=createdAt&createdAt=1", "q=createdAt&createdAt=1"),
            ], try Self.trial("{ \(Self.values) }"))
    }

    @Test func `patterns mark the part of a name that is a path, and the longest wins`() throws {
        let list =
            #"{ "names": ["filter[*]", "filter[rawText]", "where", "min_*"], "values": { "x*": "name", "x[*]": "names" } }"#
        try Self.check(
            [
                ("filterBy[createdAt]=1", "filterBy[createdAt]=1"), ("filter[createdAt]=1", "filter[created_at]=1"),
                ("filter[author][fullName]=1", "filter[author][full_name]=1"), ("filter[]=1", "filter[]=1"),
                ("filter[rawText]=1", "filter[raw_text]=1"), ("createdAt=1", "createdAt=1"),
                ("where[createdAt]=1", "where[created_at]=1"), ("min_unitPrice=1", "min_unit_price=1"),
                ("xY=aB,cD", "xY=aB,cD"), ("x[Y]=aB,cD", "x[Y]=a_b,c_d"),
            ], try Self.trial(list))
        try Self.check(
            [
                ("createdAt__gte=1", "created_at__gte=1"),
                ("author__fullName__in=1&a.bC=1", "author__full_name__in=1&a.bC=1"),
            ],
            try Self.trial(#"{ "names": true, "separator": "__" }"#))
    }

    @Test func `names are looked up in the object at the path of`() throws {
        let query = #"{ "names": ["filter[*]"], "values": { "sort": "names", "at": "pointer" }, "of": "/items/*" }"#
        try Self.check(
            [
                ("sort=ca,author.name,labels.dayTime", "sort=created_at,author.full_name,labels.dayTime"),
                ("filter[ca]=1&filter[author][name]=1", "filter[created_at]=1&filter[author][full_name]=1"),
                // A pointer begins at the root of the document.
                ("at=/items/3/ca", "at=/items/3/created_at"), ("sort=top", "sort=top"),
            ], try Self.trial(query, Self.placed))
        try Self.check(
            [("sort=top,ca", "sort=created_at,ca")], try Self.trial(#"{ "values": { "sort": "names" } }"#, Self.placed))
    }

    @Test func `the direction is that of request bodies`() throws {
        try Self.check(
            [("sort=created_at&created_at=1", "sort=createdAt&createdAt=1")],
            try Self.trial(#"{ "names": true, "values": { "sort": "names" } }"#, Self.cased, direction: "forward"))
    }

    @Test func `without query nothing changes`() throws {
        try Self.check([("createdAt=1&sort=createdAt", "createdAt=1&sort=createdAt")], try Self.trial("false"))
        #expect(try Self.trial("true").gateway.routes[0].query != nil)
        #expect(try Self.trial("false").gateway.routes[0].query == nil)
    }

    // MARK: Queries that are refused

    private static func problem(_ query: String, _ trial: GatewayTrial) throws -> Problem? {
        do {
            _ = try sent(query, trial)
            return nil
        } catch let problem as Problem {
            return problem
        }
    }

    @Test func `the number of keys in a query is limited`() throws {
        let trial = try Self.trial(#"{ "names": true, "values": { "sort": "names" } }"#)
        let full = String(repeating: "a,", count: 254) + "bC"
        #expect(try Self.sent("sort=\(full)", trial).hasSuffix("b_c"))
        let problem = try Self.problem("sort=\(full),d", trial)
        #expect(problem?.status == 400 && problem?.parameter == "sort")
        #expect(try Self.problem(String(repeating: "a&", count: 256) + "b", trial)?.status == 400)
    }

    @Test func `a key that cannot be restored passes unless the profile refuses it`() throws {
        let refusing = #"{ "keys": { "case": "camelCase", "from": "snake_case" }, "on": { "lossyKey": "error" } }"#
        let problem = try Self.problem(
            "sort=created_at", try Self.trial(#"{ "values": { "sort": "names" } }"#, refusing))
        #expect(problem?.status == 400 && problem?.code == "lossyKey" && problem?.parameter == "sort")
    }

    @Test func `a query cannot name a key that the route withholds`() throws {
        let query = #"{ "names": true, "values": { "sort": "names", "at": "pointer", "key": "name" } }"#
        let dropping =
            #"{ "keys": { "case": "camelCase", "from": "snake_case" }, "drop": ["pass_word", "/user/ssn"], "values": { "at": "card_no", "as": "mask" } }"#
        let trial = try Self.trial(query, dropping, response: dropping)
        let refused = [
            "sort=passWord", "sort=title,-pass_word", "sort=title,%20passWord:desc", "sort=user.ssn", "sort=user.ssn.x",
            "sort=cardNo", "sort=cardNo.last", "sort[]=passWord", "at=/user/ssn", "at=/user/passWord", "key=pass%57ord",
            "sort=PASS_WORD", "sort=Pass_Word", "PASS_WORD[in]=1", "filter[PASS_WORD]=1",
            "passWord=1", "filter[passWord]=1", "filter%5Bpass_word%5D=1", "filter[user][ssn]=1", "user.ssn=1",
            "user[ssn][$gt]=1", "key=passWord", "Sort=passWord", "KEY=passWord", "sort=$passWord", "sort=-@pass_word",
            // Queries that a backend may read in another way.
            "a=1;sort=passWord", "sort=lower(passWord)", "sort=title%20passWord", "sort=title|passWord",
            "sort=%22passWord%22",
            "sort=%zzpassWord", "%zz=1", "sort=title%00passWord", "at=passWord", "sort=pass%ffWord",
            // Some backends remove white space that is not ASCII, or fold letters: U+00A0, U+2003, U+FEFF, U+200B, U+017F.
            "sort=passWord%C2%A0", "sort=-passWord%E2%80%83", "sort=%EF%BB%BFpassWord", "sort=passWord%E2%80%8B",
            "sort=pa%C5%BFsWord", "at=/user/ssn%C2%A0", "passWord%C2%A0=1", "sort%C2%A0=passWord", "sort%20=passWord",
            String(repeating: "sort=a&", count: 256) + "sort=passWord",
        ]
        for row in refused {
            let problem = try Self.problem(row, trial)
            #expect(problem?.status == 400 && problem?.code == "parameter", "\(row)")
        }
        try Self.check(
            [
                ("sort=-createdAt,ssn&page=2&filter[title]=x", "sort=-created_at,ssn&page=2&filter[title]=x"),
                ("sort=*&user[id]=1&q=pass_word", "sort=*&user[id]=1&q=pass_word"),
                // A query from a link that the backend made.
                ("sort=-created_at&page_size=2", "sort=-created_at&page_size=2"),
            ], trial)
    }

    @Test func `a withheld key is found under the client's and the backend's name of a parameter`() throws {
        let dropping = #"{ "keys": { "case": "camelCase", "from": "snake_case" }, "drop": "pass_word" }"#
        let renaming = #"{ "rename": { "order_by": "sort" }, "drop": "pass_word" }"#
        let rows: [(query: String, profile: String, refused: [String])] = [
            (
                #"{ "names": true, "values": { "sortBy": "names" } }"#, dropping,
                ["sortBy", "sort_by", "sort_by[]", "sort%5fby", "SORT_BY", "sort.by"]
            ),
            (#"{ "names": ["sortBy"], "values": { "sortBy": "names" } }"#, dropping, ["sortBy", "sort_by"]),
            (#"{ "names": true, "values": { "sort_by": "names" } }"#, dropping, ["sortBy", "sort_by"]),
            (#"{ "names": true, "values": { "sort": "names" } }"#, renaming, ["sort", "order_by"]),
            // Forms write a space as a plus sign, and PHP ignores it at the beginning of a name.
            (#"{ "values": { "sort": "names" } }"#, dropping, ["sort", "+sort", "sort+", "so+rt"]),
        ]
        for (query, profile, refused) in rows {
            let trial = try Self.trial(query, profile, response: profile)
            for name in refused {
                #expect(try Self.problem("\(name)=pass_word", trial)?.status == 400, "\(query): \(name)")
            }
            #expect(try Self.sent("sort_by=title", trial) == "sort_by=title")
        }
    }

    @Test func `a query cannot name keys that keep removes or that requests lose`() throws {
        let values = #"{ "names": "filter[*]", "values": { "sort": "names" }, "of": "/items/*" }"#
        let keeping = #"{ "keep": ["/items/*/id", "/items/*/author/name", "total"] }"#
        let trial = try Self.trial(values, "{}", response: keeping)
        for row in ["sort=secret", "sort=id,author", "sort=author.mail", "filter[secret]=1", "filter[author]=1"] {
            #expect(try Self.problem(row, trial)?.status == 400, "\(row)")
        }
        try Self.check(
            [("sort=id,-author.name&filter[id]=1&page=2", "sort=id,-author.name&filter[id]=1&page=2")], trial)
        let plain = try Self.trial("true", "{}", response: #"{ "drop": "secret" }"#)
        for row in ["secret=1", "Secret=1", "SECRET[a]=1"] {
            #expect(try Self.problem(row, plain)?.status == 400, "\(row)")
        }
        let requests = try Self.trial("true", #"{ "drop": "secret", "rename": { "a": "b" } }"#, direction: "forward")
        #expect(try Self.problem("secret=1", requests)?.status == 400)
        #expect(try Self.sent("a=1", requests) == "b=1")
    }

    @Test func `query is refused with profiles whose values move`() throws {
        let profiles = [
            "plain": "{}", "moving": #"{ "move": { "/a": "/b" } }"#, "wrapping": #"{ "wrap": "data" }"#,
            "unwrapping": #"{ "unwrap": "/data" }"#, "flat": #"{ "flatten": "/a" }"#,
            "hiding": #"{ "drop": "secret" }"#, "inside": #"{ "unwrap": "/data", "drop": "secret" }"#,
        ]
        let set = try GatewayTrial.profiles(profiles)
        let rows: [(route: String, message: String?)] = [
            (#""request": { "profile": "plain", "query": true }"#, nil),
            (#""request": { "profile": "moving", "query": true }"#, "`query` does not follow"),
            (#""request": { "profile": "moving", "direction": "inverse", "query": true }"#, "`query` does not follow"),
            (#""request": { "profile": "moving", "query": false }"#, nil),
            (
                #""request": { "profile": "wrapping", "direction": "inverse", "query": true }"#,
                "`query` does not follow"
            ),
            (#""request": { "profile": "unwrapping", "query": true }"#, "`query` does not follow"),
            (#""request": { "profile": "flat", "query": true }"#, "`query` does not follow"),
            (#""request": { "profile": "plain", "query": true }, "response": { "profile": "unwrapping" }"#, nil),
            (
                #""request": { "profile": "plain", "query": true }, "response": { "profile": "inside" }"#,
                "does not accept its `unwrap`"
            ),
            (
                #""request": { "profile": "plain", "query": { "names": true, "of": "/a" } }, "response": { "profile": "hiding" }"#,
                "the direction of `request` is forward"
            ),
            (
                #""request": { "profile": "plain", "direction": "inverse", "query": { "names": true, "of": "/a" } }, "response": { "profile": "hiding" }"#,
                nil
            ),
        ]
        for (members, message) in rows { GatewayTrial.expectContradiction(message, of: members, set) }
    }
}
