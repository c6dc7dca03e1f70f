/// A string under a rule, whose content is taken and checked while it arrives.
///
/// Only the writing is left for its end, so that no call takes long, however long the string is.
struct HeldString: Sendable {
    /// A string that is shorter than this is taken at its end.
    static let minBytes = 16 * 1024

    /// How many bytes of the buffered spelling have been unescaped so far.
    private(set) var takenBytes = 0
    private var number = NumberText.Reader()
    private var url = URLText.Reader()
    private var code: HMACSHA256?

    /// Takes the part of the string that has arrived since the last call. The spelling so far is the first `count` bytes of `held`.
    ///
    /// The unescaped part is appended to `content`.
    mutating func take(
        _ held: borrowing ByteBuffer, count: Int, isWhole: Bool, under action: ValueRule.Action,
        _ content: inout ByteBuffer
    ) {
        let start = content.count
        let spelling = held.bytes.extracting(takenBytes..<count)
        takenBytes += JSONText.appendContent(of: spelling, isWhole: isWhole, to: &content).taken
        guard case .conversion(let conversion) = action else { return }
        let piece = content.bytes.extracting(start...)
        switch conversion {
        case .number, .integer: number.read(piece)
        case .url: url.read(piece)
        case .hash(let hash):
            code = code ?? hash.code
            code?.update(piece)
        default: break
        }
    }

    /// The result of the rule for the content, all of which was taken.
    func outcome(
        of content: borrowing ByteBuffer, under conversion: ValueConversion, into text: inout ByteBuffer
    ) -> ValueRule.Outcome {
        if case .hash(let hash) = conversion, let code {
            hash.write(code, into: &text)
            return .string
        }
        let isValid =
            switch conversion {
            case .integer: number.isInteger
            case .number: number.isNumber
            case .url: url.isURL
            default: true
            }
        return conversion.convert(string: content.bytes, isValid: isValid, into: &text)
    }
}
