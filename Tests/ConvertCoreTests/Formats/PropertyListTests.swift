import Testing

@testable import ConvertEngine
@testable import ConvertFormats

struct PropertyListTests {
    private static func json(_ bytes: [UInt8], _ limits: TranslationLimits = TranslationLimits()) -> String {
        do throws(ConversionError) {
            return String(decoding: try PayloadFormat.plist.json(of: bytes, limits: limits), as: UTF8.self)
        } catch {
            return "\(error.code.rawValue) \(error.offset) \(error.pointer)"
        }
    }

    private static func xml(_ value: String) -> String { json(Array("<plist>\(value)</plist>".utf8)) }

    /// The message about a property list that is refused.
    private static func refusal(_ text: String) -> String? {
        do throws(ConversionError) {
            _ = try PayloadFormat.plist.json(of: Array(text.utf8), limits: TranslationLimits())
            return nil
        } catch {
            return error.message
        }
    }

    // MARK: XML

    @Test func `every element becomes its JSON value`() {
        let rows: [(xml: String, json: String)] = [
            ("<dict/>", "{}"), ("<array></array>", "[]"), ("<string/>", #""""#), ("<true/>", "true"),
            ("<false></false>", "false"),
            (
                "<dict><key>b</key><integer>1</integer><key>a</key><array><true/><string>x</string></array></dict>",
                #"{"b":1,"a":[true,"x"]}"#
            ),
            ("<dict><key>a</key><true/><key>a</key><false/></dict>", #"{"a":true,"a":false}"#),
            ("<integer> 42\n</integer>", "42"), ("<integer>+007</integer>", "7"), ("<integer>-0</integer>", "0"),
            ("<integer>18446744073709551615</integer>", "18446744073709551615"),
            ("<integer>-9223372036854775808</integer>", "-9223372036854775808"),
            ("<integer>0xFF</integer>", "255"), ("<integer>-0X10</integer>", "-16"),
            ("<integer>0xffffffffffffffff</integer>", "18446744073709551615"),
            ("<real>1.10</real>", "1.10"), ("<real>-.5</real>", "-0.5"), ("<real>5.</real>", "5"),
            ("<real>+1e-07</real>", "1e-07"), ("<real>007.25E+3</real>", "7.25E+3"),
            ("<date>2026-03-01T12:00:00Z</date>", #""2026-03-01T12:00:00Z""#),
            ("<data>\n\taGVs\n\tbG8=\n</data>", #""aGVsbG8=""#), ("<data/>", #""""#),
            ("<string> a \r\n&lt;&amp;&gt;&quot;&apos;&#233;&#x1F600;\r</string>", #"" a \n<&>\"'é😀\n""#),
            ("<string>a<!-- x --><![CDATA[<b>&amp;]]>c</string>", #""a<b>&amp;c""#), ("<string></string>", #""""#),
            (" <!-- - --> <?pi x?> <array> <!-- --> <true/> </array> ", "[true]"),
        ]
        for row in rows { #expect(Self.xml(row.xml) == row.json, "\(row.xml)") }
        let whole = """
            \u{FEFF}<?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <!-- > --><plist version="1.0 > 0">
            <string>x</string>
            </plist>

            """
        #expect(Self.json(Array(whole.utf8)) == #""x""#)
    }

    @Test func `entities, document types with declarations and other documents are refused`() {
        let laughs = """
            <!DOCTYPE plist [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;&a;">]><plist><string>&b;</string></plist>
            """
        #expect(Self.json(Array(laughs.utf8)) == "plist 16 ")
        let external = #"<!DOCTYPE plist SYSTEM "file:///etc/passwd"><plist><string>&passwd;</string></plist>"#
        #expect(Self.json(Array(external.utf8)) == "plist 59 ")
        for value in [
            "", "<true/><true/>", "<dict><true/></dict>", "<dict><key>a</key></dict>", "<array>x</array>",
            "<dict><key>a</key><key>b</key></dict>", "<dict></array>", "<array>", "<integer/>",
            "<integer>1.0</integer>",
            "<integer>0x</integer>", "<integer>0x10000000000000000</integer>", "<integer>--1</integer>",
            "<real>nan</real>", "<real>inf</real>", "<real>1e</real>", "<real>.</real>", "<real>1 2</real>",
            "<date>2026-02-29T00:00:00Z</date>", "<date>2026-03-01T24:00:00Z</date>", "<date>2026-03-01</date>",
            "<data>a</data>", "<data>a===</data>", "<data>a*bc</data>", "<data>=aaa</data>", "<true>x</true>",
            "<string>\u{1}</string>", "<string>&nbsp;</string>", "<string>&#0;</string>", "<string>&#xD800;</string>",
            "<string>&#1114112;</string>", "<string>&#-1;</string>", "<string>&amp</string>", "<string>a</strin>",
            "<string><b/></string>", "<set/>", "<key>a</key>", "<1/>", "text", "<string", "<string a='",
            "<string><![CDATA[x</string>", "<string><!-- x</string>", "<!DOCTYPE plist><true/>",
        ] {
            #expect(Self.xml(value).hasPrefix("plist "), "\(value): \(Self.xml(value))")
        }
        for text in [
            "", "<", "<?xml", "<plist", "<plist/>", "<dict/>", "{a=1;}", "<plist><true/></plist>x", "<!DOCTYPE plist",
        ] {
            #expect(Self.json(Array(text.utf8)).hasPrefix("plist "), "\(text)")
        }
        #expect(Self.json([0x3C, 0x00, 0x70, 0x00]).hasPrefix("plist 0"))
        #expect(Self.json(Array("<plist><string>".utf8) + [0xFF]).hasPrefix("plist 15"))
        #expect(Self.xml("<dict><key>a</key><array><true/><date>x</date></array></dict>") == "plist 39 /a/1")
    }

    @Test func `a declared encoding other than UTF-8 is refused`() {
        let rows: [(declaration: String, name: String?)] = [
            (#"<?xml version="1.0" encoding="ISO-8859-1"?>"#, "ISO-8859-1"),
            ("\u{FEFF}<?xml version='1.0' encoding = 'utf-16' standalone='yes' ?>", "UTF-16"),
            (#"<?xml version="1.0" encoding="utf-8"?>"#, nil), (#"<?xml version="1.0" encoding='us-ascii'?>"#, nil),
            (#"<?xml version="1.0"?>"#, nil), (#"<?xml version="1.0"?><?x encoding="ISO-8859-1"?>"#, nil),
            (#" <?x encoding="ISO-8859-1"?>"#, nil),
        ]
        for row in rows {
            let refusal = Self.refusal(row.declaration + "<plist><string>é</string></plist>")
            #expect(
                refusal == row.name.map { "encoding \($0) is not supported; save the file as UTF-8" },
                "\(row.declaration)")
        }
        // The declaration explains why the bytes are not UTF-8.
        let latin = Array(#"<?xml version="1.0" encoding="latin1"?><plist><string>"#.utf8) + [0xE9]
        #expect(Self.json(latin) == "plist 0 ")
    }

    @Test func `an error in the elements names what is expected and found`() {
        let rows: [(text: String, message: String)] = [
            ("<plist><dict></plist>", "expected </dict>, found </plist>"),
            ("<plist><array></dict></plist>", "expected </array>, found </dict>"),
            ("<plist><array></x></plist>", "expected </array>, found the end of an unknown element"),
            ("<plist/>", "expected a value in plist, which is empty"),
            ("<dict/>", "expected plist as the outermost element"),
        ]
        for row in rows { #expect(Self.refusal(row.text) == row.message, "\(row.text)") }
    }

    @Test func `a property list has the depth limit of payloads`() {
        func nested(_ depth: Int) -> String {
            String(repeating: "<array>", count: depth) + String(repeating: "</array>", count: depth)
        }
        #expect(Self.xml(nested(512)) == String(repeating: "[", count: 512) + String(repeating: "]", count: 512))
        #expect(Self.xml(nested(513)).hasPrefix("limit 3591 "))
        #expect(Self.xml(String(repeating: "<array>", count: 200_000)).hasPrefix("limit "))
    }

    // MARK: Binary

    private static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
        FormatSamples.binary(objects, top: top)
    }

    @Test func `every object becomes its JSON value`() {
        let rows: [(objects: [[UInt8]], json: String)] = [
            ([[0x00]], "null"), ([[0x08]], "false"), ([[0x09]], "true"),
            ([[0x10, 0xFF]], "255"), ([[0x11, 0xFF, 0xFF]], "65535"), ([[0x12, 0xFF, 0xFF, 0xFF, 0xFF]], "4294967295"),
            ([[0x13] + [UInt8](repeating: 0xFF, count: 8)], "-1"),
            (
                [[0x14] + [UInt8](repeating: 0, count: 8) + [UInt8](repeating: 0xFF, count: 8)],
                "18446744073709551615"
            ),
            (
                [[0x14, 0x80] + [UInt8](repeating: 0, count: 15)], "-170141183460469231731687303715884105728"
            ),
            ([[0x22, 0x3F, 0xC0, 0, 0]], "1.5"), ([[0x23, 0x3F, 0xF8, 0, 0, 0, 0, 0, 0]], "1.5"),
            // 0.25 s before 2001.
            ([[0x33, 0xBF, 0xD0, 0, 0, 0, 0, 0, 0]], #""2000-12-31T23:59:59.75Z""#),
            ([[0x33, 0, 0, 0, 0, 0, 0, 0, 0]], #""2001-01-01T00:00:00Z""#),
            ([[0x42, 0xFF, 0xFE]], #""//4=""#), ([[0x52, 0x61, 0x62]], #""ab""#),
            ([[0x5F, 0x10, 0x02, 0x61, 0x62]], #""ab""#),
            ([[0x62, 0xD8, 0x3D, 0xDE, 0x00]], #""😀""#), ([[0x61, 0x00, 0x00]], #""\u0000""#),
            ([[0x80, 0x05]], #"{"CF$UID":5}"#),
            ([[0xA2, 1, 1], [0x09]], "[true,true]"), ([[0xC1, 1], [0x09]], "[true]"), ([[0xA0]], "[]"),
            ([[0xD2, 2, 1, 3, 3], [0x51, 0x61], [0x51, 0x62], [0x08]], #"{"b":false,"a":false}"#),
        ]
        for row in rows { #expect(Self.json(Self.binary(row.objects)) == row.json, "\(row.objects)") }
    }

    @Test func `cycles, invalid references and invalid counts are refused`() {
        let rows: [[[UInt8]]] = [
            [[0xA1, 0]], [[0xA1, 1], [0xA1, 0]], [[0xD1, 1, 0], [0x51, 0x61]], [[0xA1, 9]], [[0xD1, 1, 1], [0x09]],
            [[0xAF]], [[0xAF, 0x13] + [UInt8](repeating: 0x7F, count: 8)],
            [[0x5F, 0x13] + [UInt8](repeating: 0xFF, count: 8)],
            [[0x6F, 0x13, 0x7F] + [UInt8](repeating: 0xFF, count: 7)], [[0xDF, 0x12, 0xFF, 0xFF, 0xFF, 0xFF]],
            [[0x5F, 0x51, 0x61]], [[0x51, 0x80]], [[0x61, 0xD8, 0x00]], [[0x23, 0x7F, 0xF0, 0, 0, 0, 0, 0, 0]],
            [[0x33, 0x7F, 0xEF, 0, 0, 0, 0, 0, 0]], [[0x33, 0x7F, 0xF8, 0, 0, 0, 0, 0, 0]], [[0x15]], [[0x21, 0, 0]],
            [[0x70]], [[0xB0]], [[0xE0]], [[0xF0]], [[0x0F]], [[0x8F] + [UInt8](repeating: 0, count: 16)],
        ]
        for row in rows {
            let text = Self.json(Self.binary(row))
            #expect(text.hasPrefix("plist "), "\(row): \(text)")
        }
        #expect(Self.json(Self.binary([[0x09]], top: 1)).hasPrefix("plist "))
        #expect(Self.json(Array("bplist00".utf8)) == "plist 8 ")
    }

    /// Forty nested objects, each with two references to the next, are 2^40 values.
    @Test func `a few shared objects cannot become very much JSON`() {
        var objects = (1...40).map { [0xA2, UInt8($0), UInt8($0)] }
        objects.append([0x09])
        #expect(Self.json(Self.binary(objects)).hasPrefix("limit "))
        var limits = TranslationLimits()
        limits.maxTextBytes = 100
        #expect(Self.json(Self.binary(Array(objects.suffix(4))), limits) != "")
        // 2^5 values `true`, with brackets and commas: 32 × 4 + 31 × 2 + 31.
        let few = (1...5).map { [0xA2, UInt8($0), UInt8($0)] } + [[0x09]]
        #expect(Self.json(Self.binary(few)).count == 221)
        #expect(Self.json(Self.binary(few), limits).hasPrefix("limit "))
    }

    /// Any change or truncation gives a result or an error.
    @Test func `mutated and truncated property lists are read or refused`() {
        let binary = Self.binary([
            [0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x51, 0x62], [0xA2, 5, 6], [0x62, 0xD8, 0x3D, 0xDE, 0x00],
            [0x33, 0, 0, 0, 0, 0, 0, 0, 0], [0x42, 1, 2],
        ])
        let xml = Array(
            "<?xml?><plist><dict><key>a&amp;</key><array><real>1.5</real><date>2026-03-01T12:00:00Z</date></array></dict></plist>"
                .utf8)
        var accepted = 0
        for original in [binary, xml] {
            for cut in original.indices { #expect(!Self.json(Array(original[..<cut])).isEmpty) }
            for index in original.indices {
                for value in UInt8.min...UInt8.max {
                    var mutated = original
                    mutated[index] = value
                    let text = Self.json(mutated)
                    if text.hasPrefix("plist ") || text.hasPrefix("limit ") { continue }
                    accepted += 1
                    let run = ConverterTrial(Plan.minify(), Array(text.utf8))
                    #expect(run.error == nil, "\(index) \(value): \(text)")
                }
            }
        }
        #expect(accepted > 1_000)
    }
}
