@testable import ConvertFormats

/// Forms and property lists of all kinds, valid and invalid, for tests that compare two ways of translating.
enum FormatSamples {
    static let forms = [
        "", "&&", "a=1&b=2", "a=&=b&=", "a=1+1&b=1%2B1&c+d=%20", "n=%C3%A9&%e6%97%a5=\u{e9}", "q=%22%5C%0A%00",
        "a=1&b=2&a=3&a=", "a[b][c]=1&x=y&a[b][d]=2", "a%5Bb%5D%5B%5D=1", "a[][x]=1&a[][y]=2&a[][x]=3",
        "a[][x][]=1&a[][x][]=2&a[][y]=3", "a[1]=y&a[0][b]=x", "a[0]=x&a[2]=y", "a[99999999999999999999]=x",
        "[a]=1&a[b=2&a]b=3&a[b]c=4&a[[b]]=5", "a=%", "a=b%4", "%=a", "a=x%C3&b", "a=%ED%A0%80", "x=1&\na=1&a[b]=2",
        "a[x/y]=1&a[x/y][z~]=1&", "\n\n\ta=%E9",
        "text=\(String(repeating: "lorem %F0%9F%98%80 ipsum+dolor ", count: 40))&z=1",
    ].map { Array($0.utf8) }

    static let xml = [
        "<plist><dict/></plist>", "<plist><string/></plist>", "<plist><array><true/><false></false></array></plist>",
        "<plist><dict><key>b</key><integer>1</integer><key>a</key><array><true/><string>x</string></array></dict></plist>",
        "<plist><array><integer> 42\n</integer><integer>+007</integer><integer>-0X10</integer></array></plist>",
        "<plist><array><real>-.5</real><real>5.e3</real><real>+1e-07</real><real>007.25E+3</real></array></plist>",
        "<plist><array><date> 2026-03-01T12:00:00Z </date><data>\n\taGVs\n\tbG8=\n</data></array></plist>",
        "<plist><string> a \r\n&lt;&amp;&gt;&quot;&apos;&#233;&#x1F600;\r</string></plist>",
        "<plist><string>a<!-- x --><![CDATA[<b>&amp;]]]>c</string></plist>",
        "<plist> <!-- - --> <?pi x?> <array> <!--> --> <true> \t</true> </array> </plist>",
        "\u{FEFF}<?xml version=\"1.0\"?>\n<!DOCTYPE plist PUBLIC \"-//A > B\" 'x'>\n<plist version=\"1.0 > 0\">\n<string>x</string>\n</plist>\n",
        "<plist>\n<dict>\n<key>a</key><key>b</key></dict></plist>",
        "<plist><dict><key>é/~</key>\n<date>x</date></dict></plist>",
        "<plist><string>\u{1}</string></plist>", "<plist><string>&nbsp;</string></plist>",
        "<plist><string>&#1114112;</string></plist>", "<plist><string><![CDATA[x</string>", "<plist><array>\n<1/>",
        "<plist><true>x</true></plist>", "<plist><data>a===</data></plist>", "<plist><array><true/>", "<plist",
        "<!DOCTYPE 'a",
        "<plist><true/></plist><x/>",
        "<plist><dict><key>\(String(repeating: "ключ ", count: 30))</key><string>\(String(repeating: "Ä&amp;\"b\"\n", count: 60))</string></dict></plist>",
    ].map { Array($0.utf8) }

    /// A binary property list of these objects, with one byte for offsets and references. `top` is the index of the top object.
    static func binary(_ objects: [[UInt8]], top: UInt8 = 0) -> [UInt8] {
        var bytes = Array("bplist00".utf8)
        var offsets: [UInt8] = []
        for object in objects {
            offsets.append(UInt8(bytes.count))
            bytes += object
        }
        let table = UInt8(bytes.count)
        func wide(_ value: UInt8) -> [UInt8] { [0, 0, 0, 0, 0, 0, 0, value] }
        return bytes + offsets + [0, 0, 0, 0, 0, 0, 1, 1] + wide(UInt8(objects.count)) + wide(top) + wide(table)
    }

    static let binaries = [
        binary([[0x00]]), binary([[0x13] + [UInt8](repeating: 0xFF, count: 8)]), binary([[0x42, 0xFF, 0xFE]]),
        binary([[0x47, 1, 2, 3, 4, 5, 6, 7]]), binary([[0x57] + Array("abc\"\\\n?".utf8)]),
        binary([[0x65, 0x00, 0x22, 0xD8, 0x3D, 0xDE, 0x00, 0x20, 0xAC, 0x00, 0xE9]]),
        binary([[0x62, 0x00, 0x41, 0xD8, 0x00]]),
        binary([[0x80, 0x05]]), binary([[0xA2, 1, 1], [0x09]]), binary([[0xA1, 1], [0xA1, 0]]),
        binary([
            [0xD2, 1, 2, 3, 4], [0x51, 0x61], [0x62, 0x00, 0xE9, 0x00, 0x2F], [0xA2, 5, 6],
            [0x62, 0xD8, 0x3D, 0xDE, 0x00],
            [0x33, 0, 0, 0, 0, 0, 0, 0, 0], [0x42, 1, 2],
        ]),
        binary([[0xD1, 1, 2], [0x53, 0x61, 0x2F, 0x7E], [0xA2, 3, 4], [0x09], [0x52, 0x61, 0x80]]),
        binary([[0x09]], top: 1), Array("bplist00".utf8),
    ]

    static let all: [(format: PayloadFormat, payload: [UInt8])] =
        forms.map { (.form, $0) } + (xml + binaries).map { (.plist, $0) }
}
