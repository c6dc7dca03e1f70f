import ConvertEngine
import ConvertText

extension WrapText {
    /// The text of an object with these members, and with the document at the path of `names`.
    init(_ names: [[UInt8]], beside others: JSONDocument?, sortsKeys: Bool) throws(ConversionError) {
        guard !names.isEmpty else {
            self = .none
            return
        }
        let mark = Self.mark(for: names.joined() + [ASCII.quote] + (others?.text ?? []))
        var text = ByteBuffer()
        let root = others == nil ? nil : JSONDocument.root
        Self.append(names[...], mark, root, others, to: &text)
        let whole = try Plan.minify(output: OutputOptions(sortKeys: sortsKeys)).convert([UInt8](text))
        let start = whole.indices.first { whole[$0...].starts(with: mark) } ?? 0
        self.init(
            beginning: Array(whole[..<start]), end: Array(whole[(start + mark.count)...]), names: names)
    }

    /// A string, in quotes, that does not occur in a text.
    private static func mark(for text: some Sequence<UInt8>) -> [UInt8] {
        var longest = 0
        var run = 0
        for byte in text {
            run = byte == ASCII.x ? run + 1 : 0
            longest = max(longest, run)
        }
        return [ASCII.quote] + [UInt8](repeating: ASCII.x, count: longest + 1) + [ASCII.quote]
    }

    /// Writes an object of the profile, with the mark in it.
    private static func append(
        _ names: ArraySlice<[UInt8]>, _ mark: [UInt8], _ object: JSONDocument.NodeID?, _ others: JSONDocument?,
        to text: inout ByteBuffer
    ) {
        var isWritten = false
        text.append(ASCII.openBrace)
        if let object, let others {
            for (index, child) in others[object].children.enumerated() {
                guard let name = others[child].step.name else { continue }
                if index > 0 { text.append(ASCII.comma) }
                append(name: name, to: &text)
                if name == names.first, names.count > 1 {
                    append(names.dropFirst(), mark, child, others, to: &text)
                    isWritten = true
                } else {
                    text.append(others.source(of: child))
                }
            }
            if !isWritten, !others[object].children.isEmpty { text.append(ASCII.comma) }
        }
        if !isWritten, let name = names.first {
            append(name: name, to: &text)
            if names.count > 1 {
                append(names.dropFirst(), mark, nil, nil, to: &text)
            } else {
                text.append(mark)
            }
        }
        text.append(ASCII.closeBrace)
    }

    private static func append(name: [UInt8], to text: inout ByteBuffer) {
        JSONText.appendQuoted(name, to: &text)
        text.append(ASCII.colon)
    }
}
