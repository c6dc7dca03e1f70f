/// A string under a rule of `values` that is longer than one piece. Its content is taken and checked while it arrives.
///
/// Only the writing is left for its end, so that no call takes long, however long the string is.
struct LongString: Sendable {
    /// Strings that are shorter than this are given to their rule as a whole.
    static let minBytes = 16 * 1024

    /// How many bytes of the buffered spelling have been unescaped so far.
    private var takenBytes = 0
    private var number = NumberText.Reader()
    private var url = URLText.Reader()
    private var code: HMACSHA256?

    /// Takes the part of the string that has arrived since the last call. The spelling so far is the first `count` bytes of `held`.
    ///
    /// `content` is the unescaped string so far. For JSON in a string, it is only the newest part, whose conversion is appended to `text`.
    mutating func take(
        _ held: borrowing ByteBuffer, count: Int, isWhole: Bool, under conversion: ValueConversion,
        _ content: inout ByteBuffer, _ embedded: inout EmbeddedText, into text: inout ByteBuffer
    ) {
        if case .json = conversion { content.removeAll() }
        let start = content.count
        let spelling = held.bytes.extracting(takenBytes..<count)
        takenBytes += JSONText.appendContent(of: spelling, isWhole: isWhole, to: &content).taken
        let piece = content.bytes.extracting(start...)
        switch conversion {
        case .number, .integer: number.read(piece)
        case .url: url.read(piece)
        case .json: embedded.read(piece, into: &text)
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
