import ConvertEngine
import ConvertText
import FoundationEssentials

/// Writes XML property lists, with one tab for each level, as Apple's tools do.
///
/// The writer keeps a stack of open containers, innermost last, each with the index of its next child. Each turn of the loop
/// writes one child of the innermost, or closes it; a child that is a container becomes the innermost. So it needs no recursion.
struct XMLPropertyListWriter {
    private static let head = """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">

        """

    private var text = Array(Self.head.utf8)
    private var open: [OpenContainer] = []

    mutating func write(_ value: SerializedValue) throws(SerializationError) -> [UInt8] {
        try writeChild(value)
        while var container = open.popLast() {
            guard container.next < container.children.count else {
                appendIndent()
                append(container.names == nil ? "</array>\n" : "</dict>\n")
                continue
            }
            let index = container.next
            container.next += 1
            open.append(container)
            if let names = container.names {
                appendIndent()
                append("<key>")
                try appendEscaped(names[index])
                append("</key>\n")
            }
            try writeChild(container.children[index])
        }
        append("</plist>\n")
        return text
    }

    private mutating func writeChild(_ value: SerializedValue) throws(SerializationError) {
        appendIndent()
        switch value {
        case .null: throw open.error(expected: "a value that a property list can hold", found: "null")
        case .boolean(let isTrue): append(isTrue ? "<true/>" : "<false/>")
        case .number(let number):
            let bytes = Array(number.utf8)
            guard NumberText.isNumber(bytes.span) else { throw open.error(expected: "a number", found: "other text") }
            let element = NumberText.isInteger(bytes.span) ? "integer" : "real"
            guard element == "real" || Int64(number) != nil || UInt64(number) != nil else {
                throw open.error(expected: "an integer of 64 bits", found: "a larger one")
            }
            append("<\(element)>\(number)</\(element)>")
        case .string(let content):
            append("<string>")
            try appendEscaped(content)
            append("</string>")
        case .date(let date):
            let seconds = date.timeIntervalSince1970.rounded(.down)
            guard let content = DateText.utc.value(Date(timeIntervalSince1970: seconds)) else {
                throw open.error(expected: "a date in the years 0001 to 9999", found: "another date")
            }
            guard seconds == date.timeIntervalSince1970 else {
                throw open.error(expected: "a date of whole seconds, which is all that XML holds", found: "a finer one")
            }
            append("<date>\(content.string ?? "")</date>")
        case .data(let bytes): append("<data>\(Data(bytes).base64EncodedString())</data>")
        case .array(let elements):
            guard !elements.isEmpty else { return append("<array/>\n") }
            append("<array>")
            try push(OpenContainer(children: elements))
        case .object(let members):
            guard !members.isEmpty else { return append("<dict/>\n") }
            append("<dict>")
            try push(OpenContainer(children: members.map(\.value), names: members.map(\.name)))
        }
        append("\n")
    }

    private mutating func push(_ container: OpenContainer) throws(SerializationError) {
        guard open.count < PropertyList.maxDepth else {
            throw open.error(expected: "at most \(PropertyList.maxDepth) nested objects and arrays", found: "more")
        }
        open.append(container)
    }

    private mutating func append(_ piece: String) { text += piece.utf8 }

    private mutating func appendIndent() { text += [UInt8](repeating: ASCII.tab, count: open.count) }

    /// Char = #x9 | #xA | #xD | [#x20-#xD7FF] | [#xE000-#xFFFD] | [#x10000-#x10FFFF]; a raw #xD would be read as #xA.
    private mutating func appendEscaped(_ content: String) throws(SerializationError) {
        for scalar in content.unicodeScalars {
            switch scalar {
            case "&": append("&amp;")
            case "<": append("&lt;")
            case ">": append("&gt;")
            case "\r": append("&#13;")
            case "\t", "\n": append(String(scalar))
            case ..<" ", "\u{FFFE}", "\u{FFFF}":
                throw open.error(expected: "text that XML can hold", found: "a control character")
            default: append(String(scalar))
            }
        }
    }
}
