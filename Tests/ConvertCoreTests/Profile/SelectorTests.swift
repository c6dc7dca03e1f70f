import ConvertText
import TestSupport
import Testing

@testable import ConvertEngine

struct SelectorTests {
    private static func literal(_ text: String) -> [UInt8] { Array(text.utf8) }

    @Test func `pointers are read segment by segment`() throws {
        let rows: [(String, [Selector.Segment])] = [
            ("/", [.literal([])]),
            ("/a", [.literal(Self.literal("a"))]),
            ("/a/", [.literal(Self.literal("a")), .literal([])]),
            ("//a", [.literal([]), .literal(Self.literal("a"))]),
            (
                "/orders/*/created_at",
                [.literal(Self.literal("orders")), .anyOne, .literal(Self.literal("created_at"))]
            ),
            ("/**/zip", [.anyDepth, .literal(Self.literal("zip"))]),
            ("/**", [.anyDepth]),
            ("/**/**/x", [.anyDepth, .literal(Self.literal("x"))]),
            ("/*/*", [.anyOne, .anyOne]),
            ("/a~1b~0c~2", [.literal(Self.literal("a/b~c*"))]),
            ("/~2", [.literal(Self.literal("*"))]),
            ("/~2~2", [.literal(Self.literal("**"))]),
            ("/~01", [.literal(Self.literal("~1"))]),
            ("/a.b", [.literal(Self.literal("a.b"))]),
            ("/0", [.literal(Self.literal("0"))]),
        ]
        for (text, segments) in rows {
            #expect(try Selector(text).form == .pointer(segments), "\(text)")
        }
    }

    @Test func `bare keys are read as text and stars`() throws {
        let rows: [(String, [Selector.Piece])] = [
            ("a", [.literal(Self.literal("a"))]),
            ("*", [.anyRun]),
            ("**", [.anyRun]),
            ("*_at", [.anyRun, .literal(Self.literal("_at"))]),
            ("a**b*", [.literal(Self.literal("a")), .anyRun, .literal(Self.literal("b")), .anyRun]),
            ("a/b", [.literal(Self.literal("a/b"))]),
            ("~1a", [.literal(Self.literal("/a"))]),
            ("~2", [.literal(Self.literal("*"))]),
            ("~0~2*", [.literal(Self.literal("~*")), .anyRun]),
            ("a.b", [.literal(Self.literal("a.b"))]),
            (" ", [.literal(Self.literal(" "))]),
        ]
        for (text, pieces) in rows {
            #expect(try Selector(text).form == .name(pieces), "\(text)")
        }
    }

    @Test func `an invalid selector is refused at its byte`() {
        let rows: [(String, SelectorError.Code, Int)] = [
            ("", .empty, 0),
            ("~", .badEscape, 0),
            ("a~", .badEscape, 1),
            ("a~3", .badEscape, 1),
            ("/a~", .badEscape, 2),
            ("/a~/0", .badEscape, 2),
            ("/~x", .badEscape, 1),
            ("/a*", .wildcardInSegment, 2),
            ("/*a", .wildcardInSegment, 1),
            ("/x/***", .wildcardInSegment, 3),
            ("/**/b*c", .wildcardInSegment, 5),
            (String(repeating: "a", count: Selector.maxTextBytes + 1), .tooLong, Selector.maxTextBytes),
        ]
        for (text, code, offset) in rows {
            #expect(throws: SelectorError(code: code, offset: offset), "\(text)") { try Selector(text) }
        }
    }

    @Test func `the rank decreases from plain pointers to keys with stars`() throws {
        let falling = ["/a/b", "/a/*", "/a/**", "a", "a*"]
        let ranks = try falling.map { try Selector($0).rank }
        #expect(ranks == ranks.sorted(by: >))
        #expect(Set(ranks).count == falling.count)
        #expect(try Selector("/*/**").rank == Selector("/**").rank)
        #expect(try Selector("/~2").rank == Selector("/a").rank)
        #expect(try Selector("~2").rank == Selector("a").rank)
    }

    @Test func `a key matches byte by byte`() throws {
        let rows: [(selector: String, name: String, matches: Bool)] = [
            ("a", "a", true), ("a", "A", false), ("a", "ab", false), ("ab", "a", false), ("a", "", false),
            ("*", "", true), ("*", "anything at all", true),
            ("*_at", "_at", true), ("*_at", "created_at", true), ("*_at", "created_at_", false), ("*_at", "at", false),
            ("a*a", "a", false), ("a*a", "aa", true), ("a*a", "aba", true), ("a*a", "abab", false),
            ("*a*", "bab", true), ("*a*", "bbb", false), ("a*b*c", "abc", true), ("a*b*c", "acb", false),
            ("*ab*ba*", "aba", false), ("*ab*ba*", "abba", true), ("*aab*", "aaab", true), ("*abac*", "ababac", true),
            ("~2", "*", true), ("~2", "x", false), ("a~2*", "a*b", true), ("a~2*", "ab", false), ("~1", "/", true),
            ("a.b", "a.b", true), ("a.b", "axb", false),
            ("ключ*", "ключи", true), ("*имя", "моё имя", true), ("é", "\u{E9}", true),
            // NFC and NFD spellings are two keys, though Swift's strings call them equal.
            ("\u{E9}", "e\u{301}", false), ("e\u{301}", "e\u{301}", true), ("caf\u{E9}*", "cafe\u{301}s", false),
            ("*\u{301}", "e\u{301}", true), ("*\u{301}", "\u{E9}", false), ("😀*", "😀😀", true),
        ]
        for (selector, name, matches) in rows {
            #expect(try Selector(selector).matchesName(Array(name.utf8)) == matches, "\(selector) and \(name)")
        }
        #expect(try !Selector("/a").matchesName(Array("a".utf8)))
    }

    @Test func `a selector with many stars matches quickly`() throws {
        let selector = try Selector(String(repeating: "a*", count: 1000) + "b*")
        let name = [UInt8](repeating: ASCII.a, count: 60_000)
        let clock = ContinuousClock()
        var matches = true
        let duration = clock.measure { matches = selector.matchesName(name) }
        #expect(!matches)
        // Backtracking would practically never end; a thousand times the linear time is still far below this limit.
        #expect(duration < .seconds(20))
    }

    @Test func `the description is a selector with the same meaning`() throws {
        for text in ["/", "/a~1b/*/**/~2~0", "*_at", "~1a/b~2*", "/a/", "имя*"] {
            let selector = try Selector(text)
            #expect(try Selector(selector.description) == selector)
            #expect(selector.description == text)
        }
        #expect(try Selector("a**").description == "a*")
    }

    @Test func `selectors that can match the same value are distinguished from those that cannot`() throws {
        let rows: [(String, String, Bool)] = [
            ("/a", "/a", true), ("/a", "/b", false), ("/a", "/a/b", false), ("/a/*", "/*/b", true),
            ("/a/*", "/b/*", false), ("/**/a", "/b/**", true), ("/**/a", "/**/b", false), ("/a/**", "/a", true),
            ("/a/**/b", "/a/c/*", true), ("/a/**/b", "/b/**/b", false), ("/**", "/x/y/z", true),
            ("*_at", "created*", true), ("*_at", "*_on", false), ("a*", "b*", false), ("a*b", "ab", true),
            ("ab*ba", "aba", false), ("\u{E9}", "e\u{301}", false),
            ("a", "/x/a", true), ("a", "/x/b", false), ("a", "/x/*", true), ("a", "/**", true), ("*a", "/a/b", false),
            ("0", "/items/0", true), ("/items/0", "/items/*", true), ("~2", "/~2", true), ("~2", "/a", false),
        ]
        for (left, right, meet) in rows {
            #expect(try Selector(left).canMatchSamePath(as: Selector(right)) == meet, "\(left) and \(right)")
            #expect(try Selector(right).canMatchSamePath(as: Selector(left)) == meet, "\(right) and \(left)")
        }
    }

    @Test func `a covering selector matches all values of the other one`() throws {
        let rows: [(String, String, Bool)] = [
            ("/a", "/a", true), ("/*", "/a", true), ("/a", "/*", false), ("/**", "/a/**/b", true),
            ("/**/metadata", "/**/metadata", true), ("/**/metadata", "/x/*/metadata", true), ("/*", "/**", false),
            ("meta*", "/x/metadata", true), ("meta*", "/x/*", false), ("*", "/x/0", false), ("*", "/x/00", true),
        ]
        for (selector, pointer, covers) in rows {
            guard case .pointer(let segments) = try Selector(pointer).form else { continue }
            #expect(try Selector(selector).covers(segments[...]) == covers, "\(selector) over \(pointer)")
        }
    }
}

/// Compares the intersection test with a trial of every small path.
struct SelectorIntersectionTests {
    private enum Step {
        case name([UInt8])
        case index(Int)
    }

    /// All paths of up to four steps; the last step has every name of up to four letters.
    private static let paths: [[Step]] = {
        var names: [[UInt8]] = [[]]
        var newest = names
        for _ in 0..<4 {
            newest = newest.flatMap { name in [ASCII.a, ASCII.b, ASCII.zero].map { name + [$0] } }
            names += newest
        }
        let ends = names.map(Step.name) + [.index(0)]
        let steps: [Step] = [.name([ASCII.a]), .name([ASCII.b]), .name([ASCII.zero]), .index(0)]
        var prefixes: [[Step]] = [[]]
        var longest = prefixes
        for _ in 0..<3 {
            longest = longest.flatMap { path in steps.map { path + [$0] } }
            prefixes += longest
        }
        return [[]] + prefixes.flatMap { prefix in ends.map { prefix + [$0] } }
    }()

    /// The specification's sentences, implemented literally and slowly.
    private static func matches(_ segments: ArraySlice<Selector.Segment>, _ path: ArraySlice<Step>) -> Bool {
        guard let segment = segments.first else { return path.isEmpty }
        if segment == .anyDepth {
            return matches(segments.dropFirst(), path) || (!path.isEmpty && matches(segments, path.dropFirst()))
        }
        guard let step = path.first, matches(segments.dropFirst(), path.dropFirst()) else { return false }
        guard case .literal(let literal) = segment else { return true }
        switch step {
        case .name(let name): return name == literal
        case .index(let index): return Array(String(index).utf8) == literal
        }
    }

    private static func matches(_ pieces: ArraySlice<Selector.Piece>, _ name: ArraySlice<UInt8>) -> Bool {
        switch pieces.first {
        case nil: return name.isEmpty
        case .anyRun:
            return matches(pieces.dropFirst(), name) || (!name.isEmpty && matches(pieces, name.dropFirst()))
        case .literal(let literal):
            return name.starts(with: literal) && matches(pieces.dropFirst(), name.dropFirst(literal.count))
        }
    }

    private static func matches(_ selector: Selector, _ path: [Step]) -> Bool {
        switch selector.form {
        case .pointer(let segments): return matches(segments[...], path[...])
        case .name(let pieces):
            guard case .name(let name)? = path.last else { return false }
            return matches(pieces[...], name[...])
        }
    }

    /// At most two literal parts, so two selectors that intersect do so at one of `paths`.
    private static func randomSelector(using random: inout SeededGenerator) -> String {
        let isPointer = Bool.random(using: &random)
        var text = ""
        for _ in 0..<Int.random(in: 1...2, using: &random) {
            if Int.random(in: 0..<3, using: &random) == 0 { text += isPointer ? "/**" : "*" }
            let part = (isPointer ? ["/a", "/b", "/0", "/*", "/*"] : ["a", "b", "0", "a", "b"]).randomElement(
                using: &random)
            text += part ?? ""
        }
        if Int.random(in: 0..<3, using: &random) == 0 { text += isPointer ? "/**" : "*" }
        return text
    }

    @Test func `the intersection test agrees with a search over all short paths`() throws {
        var random = SeededGenerator(seed: 20_240_229)
        let texts = (0..<240).map { _ in Self.randomSelector(using: &random) }
        let selectors = try Set(texts).sorted().map { try Selector($0) }
        let matched = selectors.map { selector in
            Set(Self.paths.indices.filter { Self.matches(selector, Self.paths[$0]) })
        }
        var meetings = 0
        for (left, selector) in selectors.enumerated() {
            for right in left..<selectors.count {
                let meet = !matched[left].isDisjoint(with: matched[right])
                if meet { meetings += 1 }
                #expect(selector.canMatchSamePath(as: selectors[right]) == meet, "\(selector) and \(selectors[right])")
                #expect(selectors[right].canMatchSamePath(as: selector) == meet)
                if case .pointer(let segments) = selectors[right].form, selector.covers(segments[...]) {
                    #expect(matched[right].isSubset(of: matched[left]), "\(selector) over \(selectors[right])")
                }
            }
        }
        #expect(meetings > 500)
    }
}
