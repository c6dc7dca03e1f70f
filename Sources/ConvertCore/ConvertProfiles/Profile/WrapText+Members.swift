import ConvertEngine
import ConvertText

extension WrapText {
    /// The text of an object with these members, and with the document at the path of `names`.
    init(_ names: [[UInt8]], beside others: JSONDocument?, sortsKeys: Bool) throws(ConversionError) {
        guard !names.isEmpty else {
            self = .none
            return
        }
        let mark = Self.mark(for: Array(names.joined()) + (others?.text ?? []))
        let root = others == nil ? nil : JSONDocument.root
        let text = Self.object(names[...], RuleText(json: mark), beside: root, in: others ?? JSONDocument(text: []))
        let whole = try Plan.minify(output: OutputOptions(escapes: .minimal, sortKeys: sortsKeys)).convert(text.bytes)
        let start = whole.indices.first { whole[$0...].starts(with: mark) } ?? 0
        self.init(
            beginning: Array(whole[..<start]), end: Array(whole[(start + mark.count)...]), names: names)
    }

    /// A string, in quotes, with one letter more than a text has bytes: no string of the text is the same, with or without escapes.
    private static func mark(for text: [UInt8]) -> [UInt8] {
        [ASCII.quote] + [UInt8](repeating: ASCII.x, count: text.count + 1) + [ASCII.quote]
    }

    /// The object with `mark` at the path of `names`, and with the members of `object`, an object of `others`, if that is not nil.
    private static func object(
        _ names: ArraySlice<[UInt8]>, _ mark: RuleText, beside object: JSONDocument.NodeID?, in others: JSONDocument
    ) -> RuleText {
        guard let name = names.first else { return mark }
        var members: [RuleText] = []
        var isWritten = false
        for child in object.map({ others[$0].children }) ?? [] {
            guard let key = others[child].step.name else { continue }
            var value = RuleText(json: others.source(of: child))
            if key == name {
                value = Self.object(names.dropFirst(), mark, beside: child, in: others)
                isWritten = true
            }
            members.append(RuleText(RuleText(content: key), value))
        }
        if !isWritten {
            let value = Self.object(names.dropFirst(), mark, beside: nil, in: others)
            members.append(RuleText(RuleText(content: name), value))
        }
        return RuleText(braced: members)
    }
}
