import Testing

@testable import ConvertEngine
@testable import ConvertFormats

struct FormReaderTests {
    private static func json(_ form: String, _ limits: TranslationLimits = TranslationLimits()) -> String {
        do throws(ConversionError) {
            return String(decoding: try PayloadFormat.form.json(of: Array(form.utf8), limits: limits), as: UTF8.self)
        } catch {
            return "\(error.code.rawValue) \(error.offset) \(error.pointer)"
        }
    }

    /// The flat part follows the URL standard, the nested part the conventions of Rack and PHP.
    @Test func `fields become members in order, and brackets in names become objects and lists`() {
        let rows: [(form: String, json: String)] = [
            ("", "{}"),
            ("&&", "{}"),
            ("a=1&b=2", #"{"a":"1","b":"2"}"#),
            ("b=2&a=1", #"{"b":"2","a":"1"}"#),
            ("a", #"{"a":""}"#),
            ("a=&=b&=", #"{"a":"","":["b",""]}"#),
            ("a=b=c", #"{"a":"b=c"}"#),
            ("a=1+1&b=1%2B1&c+d=%20", #"{"a":"1 1","b":"1+1","c d":" "}"#),
            ("n=%C3%A9&%e6%97%a5=\u{e9}", #"{"n":"é","日":"é"}"#),
            ("q=%22%5C%0A%00", #"{"q":"\"\\\n\u0000"}"#),
            ("a=1;b=2", #"{"a":"1;b=2"}"#),
            ("a=1&b=2&a=3&a=", #"{"a":["1","3",""],"b":"2"}"#),
            ("a[]=1", #"{"a":["1"]}"#),
            ("a[]=1&a[]=2", #"{"a":["1","2"]}"#),
            ("a[b][c]=1&x=y&a[b][d]=2", #"{"a":{"b":{"c":"1","d":"2"}},"x":"y"}"#),
            ("a%5Bb%5D%5B%5D=1", #"{"a":{"b":["1"]}}"#),
            ("a[b][]=1&a[b][]=2&a[c]=", #"{"a":{"b":["1","2"],"c":""}}"#),
            ("a[b]=1&a[b]=2", #"{"a":{"b":["1","2"]}}"#),
            ("a[][x]=1&a[][y]=2&a[][x]=3", #"{"a":[{"x":"1","y":"2"},{"x":"3"}]}"#),
            ("a[][]=1&a[][]=2", #"{"a":[["1","2"]]}"#),
            ("a[][x]=1&a[]=2", #"{"a":[{"x":"1"},"2"]}"#),
            ("a[]=1&a[][x]=2", #"{"a":["1",{"x":"2"}]}"#),
            ("a[][x][]=1&a[][x][]=2&a[][y]=3", #"{"a":[{"x":["1","2"],"y":"3"}]}"#),
            ("a[0]=x&a[1]=y", #"{"a":["x","y"]}"#),
            ("a[1]=y&a[0][b]=x", #"{"a":[{"b":"x"},"y"]}"#),
            ("a[1]=y", #"{"a":{"1":"y"}}"#),
            ("a[0]=x&a[2]=y", #"{"a":{"0":"x","2":"y"}}"#),
            ("a[00]=x", #"{"a":{"00":"x"}}"#),
            ("a[0]=x&a[n]=y", #"{"a":{"0":"x","n":"y"}}"#),
            ("0=x&1=y", #"{"0":"x","1":"y"}"#),
            ("a[99999999999999999999]=x", #"{"a":{"99999999999999999999":"x"}}"#),
            ("[a]=1&a[b=2&a]b=3&a[b]c=4&a[[b]]=5", #"{"[a]":"1","a[b":"2","a]b":"3","a[b]c":"4","a[[b]]":"5"}"#),
            ("a.b=1&a[c.d]=2", #"{"a.b":"1","a":{"c.d":"2"}}"#),
        ]
        for row in rows { #expect(Self.json(row.form) == row.json, "\(row.form)") }
    }

    @Test func `an invalid form is refused at its byte, and contradicting fields at their path`() {
        let rows: [(form: String, error: String)] = [
            ("a=%", "form 2 "), ("a=b%4", "form 3 "), ("a=%zz", "form 2 "), ("%=a", "form 0 "), ("a=%4&b=1", "form 2 "),
            ("a=%FF", "form 2 "), ("a=x%C3&b", "form 3 "), ("a=%ED%A0%80", "form 2 "), ("a=+%C0%80", "form 3 "),
            ("x=1&a=1&a[b]=2", "form 8 /a"), ("a[b]=2&a=1", "form 7 /a"), ("a[]=1&a=2", "form 6 /a"),
            ("a=1&a[]=2", "form 4 /a"), ("a[b]=1&a[]=2", "form 7 /a"), ("a[]=1&a[b]=2", "form 6 /a"),
            ("a[b][c]=1&a[b]=2", "form 10 /a/b"), ("a[x/y]=1&a[x/y][z~]=1&", "form 9 /a/x~1y"),
            ("a=1&a=2&a[b]=3", "form 8 /a"),
        ]
        for row in rows { #expect(Self.json(row.form) == row.error, "\(row.form)") }
    }

    @Test func `a form has limits of depth, names and nodes`() {
        var limits = TranslationLimits()
        limits.maxDepth = 3
        limits.maxKeyBytes = 12
        limits.maxFormNodes = 8
        #expect(Self.json("a[b][c]=1", limits) == #"{"a":{"b":{"c":"1"}}}"#)
        #expect(Self.json("a[b][c][d]=1", limits) == "limit 0 ")
        #expect(Self.json("x=1&abcdefghijklm=1", limits) == "limit 4 ")
        #expect(Self.json("a=1&b=1&c=1&d=1&e=1&f=1&g=1", limits).hasSuffix(#""g":"1"}"#))
        #expect(Self.json("a=1&b=1&c=1&d=1&e=1&f=1&g=1&h=1&i=1", limits).hasPrefix("limit "))
        let deep = "a" + String(repeating: "[]", count: 100_000) + "=1"
        #expect(Self.json(deep).hasPrefix("limit 0"))
    }

    /// The cost of adding a field to a list or an object must not depend on its size.
    @Test(.linearTime) func `a hundred thousand fields are read quickly`() {
        for name in ["a[]", "a", "a[][x]"] {
            let form = Array(repeating: name + "=1", count: 60_000).joined(separator: "&")
            let text = Self.json(form)
            #expect(text.count > 200_000, "\(name): \(text.prefix(80))")
        }
    }
}
