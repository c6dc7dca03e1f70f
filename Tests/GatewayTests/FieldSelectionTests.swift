import ConvertEngine
import ConvertProfiles
import Testing

@testable import Conversions
@testable import Gateway
@testable import HTTPSemantics
@testable import Sockets

/// Selections of fields by clients: their syntax, and what stays of a document.
struct FieldSelectionTests {
    /// The fields of a selection as pointers; a key that is a star is written `~2`, as in selectors.
    private static func fields(_ text: String) throws -> [String] {
        let selection = try FieldSelection(parsing: Array(text.utf8), of: "fields")
        guard case .document(let paths) = selection.scope else { return [] }
        return paths.map { path in
            path.map { segment in
                switch segment {
                case .literal(let key): "/" + String(decoding: key, as: UTF8.self).replacing("*", with: "~2")
                case .anyOne: "/*"
                case .anyDepth: "/**"
                }
            }.joined()
        }
    }

    // MARK: Syntax

    /// The selections of the tests of json-mask, a library with this syntax.
    @Test func `the selections of json-mask mean the same`() throws {
        let rows: [(String, [String])] = [
            ("a", ["/a"]), ("a,b,c", ["/a", "/b", "/c"]), ("a/*/c", ["/a/*/c"]),
            ("a,b(d/*/g,b),c", ["/a", "/b/d/*/g", "/b/b", "/c"]), ("a(b/c,e)", ["/a/b/c", "/a/e"]),
            ("a(b/c),e", ["/a/b/c", "/e"]), ("a(b/c/d),e", ["/a/b/c/d", "/e"]), ("a(b/g(c)),e", ["/a/b/g/c", "/e"]),
            (#"a\/b\/c"#, ["/a/b/c"]), (#"a\(b\)c"#, ["/a(b)c"]), (#"a\bc"#, ["/abc"]), (#"\*"#, ["/~2"]),
            ("*", ["/*"]), (#"*(a,b,\*,\(,\),\,)"#, ["/*/a", "/*/b", "/*/~2", "/*/(", "/*/)", "/*/,"]),
            (#"\\"#, [#"/\"#]), ("foo*bar", ["/foo~2bar"]), (#"foo\"#, [#"/foo\"#]), (#"\n"#, ["/n"]),
            ("multi\nline", ["/multi\nline"]),
        ]
        for (text, expected) in rows { #expect(try Self.fields(text) == expected, "\(text)") }
    }

    @Test func `space around keys is ignored, unless it is escaped`() throws {
        #expect(try Self.fields(" id , a ( first name ,b ) ") == ["/id", "/a/first name", "/a/b"])
        #expect(try Self.fields(#"\ a\ "#) == ["/ a "])
    }

    @Test func `an error says at which character`() throws {
        let rows = [
            ("a,,b", "at character 3: a key is missing"), ("a(b", "at character 4: a `)` is missing"),
            ("é(b))", "at character 5: this `)` has no `(`"), ("a/", "at character 3: a key is missing"),
            ("a()", "at character 3: a key is missing"), ("a(b)c", "at character 5: expected `,` or `)`"),
            ("", "at character 1: a key is missing"), ("/a", "at character 1: a key is missing"),
        ]
        for (text, expected) in rows {
            let error = #expect(throws: Problem.self) { try Self.fields(text) }
            #expect(
                error?.status == 400 && error?.detail.hasPrefix(expected) == true, "\(text): \(error?.detail ?? "")")
        }
    }

    @Test func `fields and keys are limited`() throws {
        let most = FieldSelection.maxFields
        let deep = FieldSelection.maxDepth
        #expect(try Self.fields(String(repeating: "a,", count: most - 1) + "a").count == most)
        #expect(throws: Problem.self) { try Self.fields(String(repeating: "a,", count: most) + "a") }
        #expect(try Self.fields(String(repeating: "a/", count: deep - 1) + "a").count == 1)
        #expect(throws: Problem.self) { try Self.fields(String(repeating: "a/", count: deep) + "a") }
        #expect(throws: Problem.self) { try Self.fields(String(repeating: "a(", count: 5000)) }
    }

    @Test func `the parameter is taken out of the query, and everything else stays as it was written`() throws {
        let rows: [(String, rest: String?, [String]?)] = [
            ("fields=a", nil, ["a"]), ("x=%7e&fields=a%2Cb&&y", "x=%7e&&y", ["a,b"]),
            ("fields=a&fields=b(c)", nil, ["a,b(c)"]), ("fields=&x", "x", nil), ("fields=a,+b%2B", nil, ["a, b+"]),
            ("fields", nil, nil),
            ("f%69elds=a", nil, ["a"]), ("Fields=a&fields[a]=b", "Fields=a&fields[a]=b", nil), ("", "", nil),
        ]
        for (query, rest, text) in rows {
            let split = try FieldsRule().split(Array(query.utf8)[...])
            #expect(split.rest.map { String(decoding: $0, as: UTF8.self) } == rest, "\(query)")
            #expect(split.1.map { [String(decoding: $0.text, as: UTF8.self)] } == text, "\(query)")
        }
        var byType = FieldsRule()
        byType.syntax = .jsonapi
        let split = try byType.split(Array("fields[a]=b,c&fields=x&fields[]=y&fields%5Bd%5D".utf8)[...])
        #expect(split.rest.map { String(decoding: $0, as: UTF8.self) } == "fields=x&fields[]=y")
        #expect(
            split.1?.text == Array("a".utf8) + [0xFE] + Array("b,c".utf8) + [0xFF] + Array("d".utf8) + [0xFE, 0xFF])
        #expect(throws: Problem.self) { try FieldsRule().split(Array("fields=%zz".utf8)[...]) }
        #expect(throws: Problem.self) { try FieldsRule().split(Array("fields=%ff".utf8)[...]) }
    }

    // MARK: Documents

    private static func selected(
        _ text: String, from document: String, profile: String = "{}", lines: Bool = false, atOnce count: Int = .max
    ) throws -> String {
        let profile = try Profile(parsing: Array(profile.utf8))
        let recipe = try Recipe(profile, .forward, limits: Limits())
        var rule = FieldsRule()
        rule.syntax = text.contains("[") ? .jsonapi : .paths
        let query = rule.syntax == .jsonapi ? text : "fields=" + text
        let selection = try #require(try rule.split(Array(query.utf8)[...]).1)
        let order = ConversionOrder(
            recipe: recipe, type: lines ? .lines : .json, contentType: "",
            fields: FieldRecipes().order(selection, of: recipe))
        let conversion = PayloadConversion(order, ConverterPool())
        var rest = Array(document.utf8)[...]
        let clock = { MonotonicTime(nanoseconds: 0) }
        while !rest.isEmpty {
            try conversion.begin(Array(rest.prefix(count)).span, clock)
            while conversion.isWriting { try conversion.continueWriting(clock) }
            rest = rest.dropFirst(count)
        }
        try conversion.finish()
        return String(decoding: Array(conversion.unit.output), as: UTF8.self)
    }

    private static func check(
        _ rows: [(fields: String, expected: String)], from document: String, profile: String = "{}", lines: Bool = false
    ) throws {
        for row in rows {
            for count in [Int.max, 1, 3] {
                let found = try selected(row.fields, from: document, profile: profile, lines: lines, atOnce: count)
                #expect(found == row.expected, "\(row.fields), \(count) bytes at once")
            }
        }
    }

    /// The document and the result in json-mask's test of its filter.
    @Test func `the document of json-mask keeps the same fields`() throws {
        try Self.check(
            [
                (
                    #"a,b(d/*/z,b(g)),c,d\/e,\*"#,
                    #"{"a":11,"b":[{"d":{"g":{"z":22},"c":{}},"b":[{}]}],"c":44,"d/e":101,"*":110}"#
                )
            ],
            from: """
                { "a": 11, "n": 0, "b": [{ "d": { "g": { "z": 22 }, "b": 34, "c": { "a": 32 } }, "b": [{ "z": 33 }], "k": 99 }],
                  "c": 44, "g": 99, "d/e": 101, "*": 110 }
                """)
    }

    @Test func `paths lead through arrays, and other values on the way go`() throws {
        try Self.check(
            [
                ("id", #"[{"id":1},{},[{"id":2}]]"#), ("a/b", #"[{},{"a":{"b":{"c":[1]}}},[{"a":[{"b":1},{}]}]]"#),
                ("*", #"[{"id":1},{"a":{"b":{"c":[1]},"x":null}},[{"id":2,"a":[3,null,{"b":1},{"0":1}]}]]"#),
                ("0", "[{},{},[{}]]"), ("a/0", #"[{},{"a":{}},[{"a":[{},{"0":1}]}]]"#),
                ("a/*", #"[{},{"a":{"b":{"c":[1]},"x":null}},[{"a":[{"b":1},{"0":1}]}]]"#),
                ("a,a/b", #"[{},{"a":{"b":{"c":[1]},"x":null}},[{"a":[3,null,{"b":1},{"0":1}]}]]"#),
            ],
            from: #"[{"id":1},{"a":{"b":{"c":[1]},"x":null}},[{"id":2,"a":[3,null,{"b":1},{"0":1}]}],true]"#)
    }

    @Test func `what stays is unchanged: numbers, order, escapes and keys that occur twice`() throws {
        try Self.check(
            [
                ("n,b", #"{"n":12345678901234567890.10,"b":{"\u0061":[],"z":{},"a":"\/"}}"#),
                ("b/a", #"{"b":{"\u0061":[],"a":"\/"}}"#),
            ],
            from: #"{"n":12345678901234567890.10,"c":1,"b":{"\u0061":[],"z":{},"a":"\/"}}"#,
            profile:
                #"{ "on": { "duplicateKey": "keep" } }"#)
    }

    @Test func `long indented output is selected from piece by piece`() throws {
        // 3000 lines of 1.6 kB are several pieces of the profile's output, and as many of the selected one.
        let (opening, closing) = (String(repeating: "[", count: 100), String(repeating: "]", count: 100))
        let array = opening + String(repeating: "1,", count: 3000) + "1" + closing
        let profile = #"{"output": {"indent": 16}}"#
        let expected = try Plan.minify(output: OutputOptions(indent: 16)).convert("{\"a\":\(array)}")
        for count in [Int.max, 1000] {
            let found = try Self.selected("a", from: "{\"b\":1,\"a\":\(array)}", profile: profile, atOnce: count)
            #expect(found == expected)
        }
    }

    @Test func `a selection names the keys of the output, wherever they come from`() throws {
        let profile = """
            { "rename": { "first_name": "fn" }, "drop": ["secret"], "move": { "/meta/total": "/total" },
              "wrap": { "at": "data", "with": { "ok": true } }, "output": { "sortKeys": true } }
            """
        try Self.check(
            [
                ("data(fn,total)", #"{"data":{"fn":"Ada","total":2}}"#), ("ok", #"{"ok":true}"#),
                ("data(first_name,secret,meta)", #"{"data":{"meta":{}}}"#),
            ],
            from: #"{"meta":{"total":2},"secret":1,"first_name":"Ada"}"#, profile: profile)
    }

    @Test func `each line is a document`() throws {
        try Self.check(
            [("a", "{\"a\":1}\n{}\n{\"a\":3}\n")], from: "{\"a\":1,\"b\":1}\n{\"b\":2}\n\n{\"b\":0,\"a\":3}",
            lines: true)
    }

    /// The document is made from the one in "Compound Documents" of JSON:API 1.1.
    @Test func `resources of JSON API keep the fields of their type`() throws {
        let document = #"""
            {"links":{"self":"/articles","data":[{"type":"articles","attributes":{"body":1}}]},
             "data":[{"type":"articles","id":"1","attributes":{"title":"JSON \"{[","body":"x"},
               "relationships":{"author":{"data":{"type":"people","id":"9"}},"comments":{"data":[]}},"links":{"self":"/1"}},
              {"attributes":{"title":"last","body":"y"},"id":"2","type":"\u0061rticles"},7,{"id":"3","attributes":{"body":1}}],
             "included":[{"type":"people","id":"9","attributes":{"firstName":"Dan","lastName":"G"},"meta":{"a":1}}]}
            """#
        let data =
            #"{"links":{"self":"/articles","data":[{"type":"articles","attributes":{"body":1}}]},"data":[{"type":"articles","id":"1","attributes":{"title":"JSON \"{["},"relationships":{"author":{"data":{"type":"people","id":"9"}}},"links":{"self":"/1"}},{"attributes":{"title":"last"},"id":"2","type":"\u0061rticles"},7,{"id":"3","attributes":{"body":1}}],"#
        let whole =
            #""included":[{"type":"people","id":"9","attributes":{"firstName":"Dan","lastName":"G"},"meta":{"a":1}}]}"#
        try Self.check(
            [
                ("fields[articles]=title,author", data + whole),
                (
                    "fields%5Barticles%5D=author&fields[people]=&fields[articles]=title",
                    data + #""included":[{"type":"people","id":"9","meta":{"a":1}}]}"#
                ),
            ],
            from: document)
        try Self.check(
            [("fields[a]=x", #"{"data":{"type":"a","attributes":{"x":[{}]}},"included":null}"#)],
            from: #"{ "data": {"type":"a","attributes":{"x":[{}],"y":2}}, "included": null }"#)
        // The second line has no resources: it is an array.
        try Self.check(
            [("fields[t]=x", "{\"data\":{}}\n[{\"type\":\"t\",\"attributes\":{\"y\":1}}]\n")],
            from: "{\"data\":{}}\n[{\"type\":\"t\",\"attributes\":{\"y\":1}}]", lines: true)
        try Self.check(
            [("fields[a]=x", "[{\"type\":\"a\",\"attributes\":{\"y\":1}}]")],
            from: #"[{"type":"a","attributes":{"y":1}}]"#)
    }

    @Test func `two selections that mean different fields never have the same text`() throws {
        func text(_ query: String, _ syntax: FieldsRule.Syntax) throws -> [UInt8]? {
            var rule = FieldsRule()
            rule.syntax = syntax
            return try rule.split(Array(query.utf8)[...]).1?.text
        }
        #expect(try text("fields[a]=m%26b%3Dn", .jsonapi) != text("fields[a]=m&fields[b]=n", .jsonapi))
        #expect(try text("fields[q]=r", .jsonapi) != text("fields=q%3Dr", .paths))
        #expect(try text("fields[a]=b", .jsonapi) != text("fields[ab]=", .jsonapi))
    }

    @Test func `the recipes that were used last are known`() throws {
        let recipe = Recipe.minify(output: OutputOptions(), limits: Limits())
        let known = FieldRecipes()
        let selections = try (0...FieldRecipes.maxCount).map {
            try FieldSelection(parsing: Array("a\($0)".utf8), of: "fields")
        }
        func found(_ index: Int, of recipe: Recipe) -> Recipe? {
            if case .document(let found) = known.order(selections[index], of: recipe) { found } else { nil }
        }
        let first = try #require(found(0, of: recipe))
        for index in 1..<FieldRecipes.maxCount { _ = found(index, of: recipe) }
        #expect(found(0, of: recipe) === first)
        let indented = Recipe.minify(output: OutputOptions(indent: 2), limits: Limits())
        #expect(found(0, of: indented) !== first)
        for index in selections.indices { _ = found(index, of: recipe) }
        #expect(found(0, of: recipe) !== first)
    }
}
