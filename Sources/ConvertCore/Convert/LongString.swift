/// A string under a rule of `values` that is longer than a piece: its content is taken, and judged, as the string comes.
///
/// What is left for its end is to write it, so that no call takes long however long the string is.
struct LongString: Sendable {
    /// Strings that are shorter when they end go to their rule whole.
    static let minBytes = 16 * 1024

    private enum Reader {
        case none
        case number(NumberText.Reader)
        case url(URLText.Reader)
        case json(EmbeddedText)
    }

    private let conversion: ValueConversion
    private var reader: Reader
    /// How much of what is held has become content.
    private var takenBytes = 0

    /// - Parameter embedded: For a rule that takes embedded JSON text, what converts that.
    init(_ conversion: ValueConversion, embedded: EmbeddedText?) {
        self.conversion = conversion
        reader =
            switch conversion {
            case .number, .integer: .number(NumberText.Reader())
            case .url: .url(URLText.Reader())
            default: embedded.map { .json($0) } ?? .none
            }
    }

    /// Takes what has come of the string, the first `count` bytes of `held`.
    ///
    /// `content` is what the string says so far, or if the rule looks into it, what was not looked at; `text` is what it becomes.
    mutating func take(
        _ held: borrowing ByteBuffer, count: Int, isWhole: Bool, _ content: inout ByteBuffer,
        into text: inout ByteBuffer
    ) {
        if case .json = reader { content.removeAll() }
        let start = content.count
        let spelling = held.bytes.extracting(takenBytes..<count)
        takenBytes += JSONText.appendContent(of: spelling, isWhole: isWhole, to: &content).taken
        let piece = content.bytes.extracting(start...)
        switch reader {
        case .none: break
        case .number(var number):
            number.read(piece)
            reader = .number(number)
        case .url(var url):
            url.read(piece)
            reader = .url(url)
        case .json(let embedded): embedded.read(piece, into: &text)
        }
    }

    /// Ends the string, all of which was taken.
    ///
    /// - Throws: `.heldLength` when an embedded text becomes longer than may be held.
    func outcome(of content: borrowing ByteBuffer, into text: inout ByteBuffer) throws(Fault) -> ValueConversion.Outcome
    {
        let isValid: Bool
        switch reader {
        case .none: isValid = true
        case .number(let number): isValid = conversion == .integer ? number.isInteger : number.isNumber
        case .url(let url): isValid = url.isURL
        case .json(let embedded):
            switch embedded.finish([UInt8]().span, into: &text) {
            case .text: return .token
            case .notJSON: return .bad(ValueConversion.expectedJSON)
            case .tooLong: throw Fault(kind: .heldLength, position: 0)
            }
        }
        return conversion.convert(string: content.bytes, isValid: isValid, into: &text)
    }
}
