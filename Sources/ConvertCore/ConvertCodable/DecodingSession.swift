import ConvertEngine
import FoundationEssentials

/// One run of a decoder: the tape, the decoder's settings and the elements that failed.
///
/// All code that reads a token is here, so the three kinds of container differ only in how they find a token.
final class DecodingSession {
    let tape: Cell<JSONTape>
    /// The workspace with the tape; nil for the tape of a text that was not converted.
    private let workspace: DecodingWorkspace?
    let settings: ConvertDecoder
    /// Whether the members of dynamic values are sorted by key.
    let sortsMembers: Bool
    let userInfo: [CodingUserInfoKey: Any]
    let hasFailureRules: Bool
    /// Finds the payload's own keys of dictionaries and dynamic values; nil if those in the tape are used.
    let payloadKeys: Cell<PayloadKeys>?
    var failures: [ElementFailure] = []
    /// The indices of the rules in `settings.elementFailures` that some array has used.
    var usedFailureRules: Set<Int> = []
    /// The path of the last error that has no coding path.
    private(set) var rangeErrorPath: CodingPathNode?

    init(
        _ tape: Cell<JSONTape>, _ settings: ConvertDecoder, sortsMembers: Bool, _ workspace: DecodingWorkspace? = nil
    ) {
        self.tape = tape
        self.workspace = workspace
        self.settings = settings
        self.sortsMembers = sortsMembers
        userInfo = settings.userInfo
        hasFailureRules = !settings.elementFailures.isEmpty
        payloadKeys = settings.rewritesDataKeys ? nil : workspace?.keys
    }

    /// The tape, or one with the same tokens if the value at the token `index` has data as keys: there, the object at `index` has the
    /// payload's own keys, apart from renames, and with `isDeep` all objects inside it.
    func tapeOfData(at index: Int, isDeep: Bool, _ path: CodingPathNode?) throws -> Cell<JSONTape> {
        guard let payloadKeys, let workspace else { return tape }
        return try payloadKeys.value.tape(index, isDeep: isDeep, tape, from: workspace.converter.value.keys, path)
    }

    /// The token at `index`; a null for the index -1 of an absent value.
    @inline(__always)
    func token(_ index: Int) -> JSONTape.Token { index >= 0 ? tape.value.tokens[index] : Self.absent }

    private static let absent = JSONTape.Token(kind: .null, start: 0, end: 0)

    /// Decodes a value of any type that begins at the token `index`. `path` is the path to it.
    ///
    /// Containers have methods for scalars. Scalars come here from a type's generic code, or as the whole payload.
    @inline(__always)
    func value<Value: Decodable>(_ type: Value.Type, at index: Int, path: @autoclosure () -> CodingPathNode?) throws
        -> Value
    {
        if type == String.self { return Self.exactly(try string(index, path)) }
        if type == Int.self { return Self.exactly(try integer(Int.self, index, path)) }
        if type == Bool.self { return Self.exactly(try bool(index, path)) }
        if type == Double.self { return Self.exactly(try double(index, path)) }
        return try uncommon(type, at: index, path)
    }

    /// Casts a value to the type that the caller has checked.
    ///
    /// This is a separate function because generic functions with an optional begin with a look-up of its type, even if it is
    /// not used.
    @inline(never)
    private static func exactly<Value>(_ value: some Any) -> Value {
        guard let value = value as? Value else { preconditionFailure("a value of another type") }
        return value
    }

    @inline(never)
    private func uncommon<Value: Decodable>(
        _ type: Value.Type, at index: Int, _ path: () -> CodingPathNode?
    ) throws -> Value {
        if hasFailureRules, let array = type as? any ElementwiseDecodable.Type {
            let path = path()
            if let policy = failurePolicy(at: path) {
                let decoder = TapeDecoder(session: self, index: index, path: path)
                return Self.exactly(try array.init(elementsOf: decoder, policy))
            }
        }
        let isFoundation = type == Date.self || type == Data.self || type == URL.self || type == Decimal.self
        if isFoundation { return try foundation(type, at: index, path: path()) }
        // These need a path for an error only.
        if type == [String].self { return Self.exactly(try strings(index, path)) }
        if type == [Int].self { return Self.exactly(try integers(index, path)) }
        if type == [Double].self { return Self.exactly(try doubles(index, path)) }
        if type == [Bool].self { return Self.exactly(try booleans(index, path)) }
        let path = path()
        if let number = try number(type, at: index, path: path) { return Self.exactly(number) }
        let failuresBefore = failures.count
        do {
            return try Value(from: TapeDecoder(session: self, index: index, path: path))
        } catch {
            // The caller may catch the error and read the value as another type. Then nothing was left out.
            failures.removeSubrange(failuresBefore...)
            throw error
        }
    }

    /// A date that a type reads from its decoder as a single value.
    @inline(never)
    func date<Value: Decodable>(_ decoder: TapeDecoder) throws -> Value {
        Self.exactly(try date(decoder, owner: decoder.path))
    }

    @inline(never)
    private func foundation<Value: Decodable>(_ type: Value.Type, at index: Int, path: CodingPathNode?) throws -> Value
    {
        let decoder = TapeDecoder(session: self, index: index, path: path)
        if type == Date.self { return Self.exactly(try date(decoder, owner: path?.parent)) }
        if type == Data.self { return Self.exactly(try data(decoder)) }
        if type == URL.self { return Self.exactly(try url(index, path)) }
        return Self.exactly(try decimal(index, path))
    }

    func strings(_ index: Int, _ path: () -> CodingPathNode?) throws -> [String] {
        try array(index, path) { try string($0, $1) }
    }

    func integers(_ index: Int, _ path: () -> CodingPathNode?) throws -> [Int] {
        try array(index, path) { try integer(Int.self, $0, $1) }
    }

    func doubles(_ index: Int, _ path: () -> CodingPathNode?) throws -> [Double] {
        try array(index, path) { try double($0, $1) }
    }

    func booleans(_ index: Int, _ path: () -> CodingPathNode?) throws -> [Bool] {
        try array(index, path) { try bool($0, $1) }
    }

    /// The elements of an array of scalars.
    @inline(__always)
    private func array<Element>(
        _ index: Int, _ path: () -> CodingPathNode?, _ read: (Int, () -> CodingPathNode?) throws -> Element
    ) throws -> [Element] {
        let token = token(index)
        guard token.kind == .array else { throw mismatch([Any].self, index, path()) }
        var elements: [Element] = []
        elements.reserveCapacity(token.count)
        // Each element is one token: an element with more tokens is refused here.
        for position in 0..<token.count {
            do {
                elements.append(try read(index + 1 + position) { nil })
            } catch {
                // Read again, for the error with its path.
                let path = path()
                elements.append(try read(index + 1 + position) { path.appending(IndexKey(position)) })
            }
        }
        return elements
    }

    @inline(never)
    private func number(_ type: any Decodable.Type, at index: Int, path: CodingPathNode?) throws -> (any Decodable)? {
        if type == Float.self { return try float(index, { path }) }
        if type == Int64.self { return try integer(Int64.self, index, { path }) }
        if type == Int32.self { return try integer(Int32.self, index, { path }) }
        if type == Int16.self { return try integer(Int16.self, index, { path }) }
        if type == Int8.self { return try integer(Int8.self, index, { path }) }
        if type == UInt.self { return try integer(UInt.self, index, { path }) }
        if type == UInt64.self { return try integer(UInt64.self, index, { path }) }
        if type == UInt32.self { return try integer(UInt32.self, index, { path }) }
        if type == UInt16.self { return try integer(UInt16.self, index, { path }) }
        if type == UInt8.self { return try integer(UInt8.self, index, { path }) }
        if type == Int128.self { return try integer(Int128.self, index, { path }) }
        if type == UInt128.self { return try integer(UInt128.self, index, { path }) }
        return nil
    }
}

// MARK: - Scalars

extension DecodingSession {
    @inline(__always)
    func bool(_ index: Int, _ path: () -> CodingPathNode?) throws -> Bool {
        let kind = token(index).kind
        if kind == .true { return true }
        if kind == .false { return false }
        // Foundation throws this error for null, for this one type.
        guard kind != .null else {
            throw DecodingError.typeMismatch(Bool.self, context("expected Bool, found null", path()))
        }
        throw mismatch(Bool.self, index, path())
    }

    @inline(__always)
    func string(_ index: Int, _ path: () -> CodingPathNode?) throws -> String {
        let token = token(index)
        guard token.kind == .string else { throw mismatch(String.self, index, path()) }
        if !token.hasEscapes { return tape.value.text.string(from: token.start, to: token.end) }
        guard let text = tape.value.string(index) else {
            throw corrupted("expected a string of whole characters, found half of a surrogate pair", path())
        }
        return text
    }

    @inline(__always)
    func integer<Integer: FixedWidthInteger & Decodable>(
        _ type: Integer.Type, _ index: Int, _ path: () -> CodingPathNode?
    ) throws -> Integer {
        let token = token(index)
        guard token.kind == .number else { throw mismatch(type, index, path()) }
        if let value = tape.value.text.shortInteger(from: token.start, to: token.end),
            let integer = Integer(exactly: value)
        {
            return integer
        }
        return try longInteger(type, index, path())
    }

    @inline(never)
    private func longInteger<Integer: FixedWidthInteger & Decodable>(
        _ type: Integer.Type, _ index: Int, _ path: CodingPathNode?
    ) throws -> Integer {
        guard let integer: Integer = JSONNumber(checkedText: tape.value.source(index)).integer() else {
            throw unfit("a number that \(type) holds", found: "another number", path)
        }
        return integer
    }

    @inline(__always)
    func double(_ index: Int, _ path: () -> CodingPathNode?) throws -> Double {
        let token = token(index)
        if token.kind == .number {
            if let value = tape.value.text.shortDecimal(from: token.start, to: token.end) { return value }
        }
        return try longFloat(Double.self, index, path())
    }

    func float(_ index: Int, _ path: () -> CodingPathNode?) throws -> Float {
        try longFloat(Float.self, index, path())
    }

    @inline(never)
    private func longFloat<Value: BinaryFloatingPoint & LosslessStringConvertible & Decodable>(
        _ type: Value.Type, _ index: Int, _ path: CodingPathNode?
    ) throws -> Value {
        switch token(index).kind {
        case .number:
            let text = tape.value.source(index)
            guard let value = Value(text), value.isFinite, value != 0 || JSONNumber(checkedText: text).isZero else {
                throw unfit("a number that \(type) holds", found: "another number", path)
            }
            return value
        case .string:
            guard let text = tape.value.string(index),
                case .convertFromString(let positive, let negative, let nan) =
                    settings.nonConformingFloatDecodingStrategy
            else { break }
            if text == positive { return .infinity }
            if text == negative { return -.infinity }
            if text == nan { return .nan }
        default: break
        }
        throw mismatch(type, index, path)
    }

    private func decimal(_ index: Int, _ path: CodingPathNode?) throws -> Decimal {
        guard token(index).kind == .number else { throw mismatch(Decimal.self, index, path) }
        guard let decimal = Decimal(string: tape.value.source(index)) else {
            throw unfit("a number that Decimal holds", found: "another number", path)
        }
        return decimal
    }

    private func url(_ index: Int, _ path: CodingPathNode?) throws -> URL {
        try refuseNull(URL.self, index, path)
        guard let url = URL(string: try string(index, { path })) else {
            throw corrupted("expected a URL, found another string", path)
        }
        return url
    }

    /// A date, read by the date strategy; a null never reaches a strategy.
    ///
    /// `owner` is the path that Foundation reports for text that is not ISO 8601. It is the path of the container, or
    /// that of the date itself if a type reads the date from a single-value container.
    func date(_ decoder: TapeDecoder, owner: CodingPathNode?) throws -> Date {
        let (index, path) = (decoder.index, decoder.path)
        try refuseNull(Date.self, index, path)
        switch settings.dateDecodingStrategy {
        case .deferredToDate:
            guard token(index).kind != .string else {
                let hint = "(for dates in strings, set `dateDecodingStrategy = .flexible()`)"
                throw DecodingError.typeMismatch(
                    Double.self, context("expected Double, found a string \(hint)", path))
            }
            return try Date(from: decoder)
        case .secondsSince1970: return Date(timeIntervalSince1970: try double(index, { path }))
        case .millisecondsSince1970: return Date(timeIntervalSince1970: try double(index, { path }) / 1000)
        case .iso8601:
            let text = try string(index, { path })
            guard let date = try? Date.ISO8601FormatStyle().parse(text) else {
                let message = "expected a date-time as ISO 8601, found another string at \"\(path.shortPointer)\""
                throw DecodingError.dataCorrupted(.init(codingPath: owner.keys, debugDescription: message))
            }
            return date
        case .custom(let read): return try read(decoder)
        @unknown default: throw corrupted("expected a date strategy that this decoder knows", path)
        }
    }

    private func data(_ decoder: TapeDecoder) throws -> Data {
        try refuseNull(Data.self, decoder.index, decoder.path)
        switch settings.dataDecodingStrategy {
        case .deferredToData: return try Data(from: decoder)
        case .base64:
            let path = decoder.path
            guard let data = Data(base64Encoded: try string(decoder.index, { path })) else {
                throw corrupted("expected Base64, found another string", path)
            }
            return data
        case .custom(let read): return try read(decoder)
        @unknown default:
            throw corrupted("expected a data strategy that this decoder knows", decoder.path)
        }
    }
}

// MARK: - Errors

extension DecodingSession {
    /// A value of another kind: `valueNotFound` for null, `typeMismatch` for the rest.
    @inline(never)
    func mismatch(_ type: any Any.Type, _ index: Int, _ path: CodingPathNode?) -> DecodingError {
        let found = token(index).kind
        let context = context("expected \(type), found \(found.noun)", path)
        return found == .null ? .valueNotFound(type, context) : .typeMismatch(type, context)
    }

    /// Throws for a null, with the requested type. Without this, the error would name the type that it is read from.
    private func refuseNull(_ type: any Any.Type, _ index: Int, _ path: CodingPathNode?) throws {
        if token(index).kind == .null { throw mismatch(type, index, path) }
    }

    @inline(never)
    func corrupted(_ message: String, _ path: CodingPathNode?) -> DecodingError {
        .dataCorrupted(context(message, path))
    }

    /// The error for a number outside its type's range. As in Foundation the coding path is empty; the message has the pointer.
    @inline(never)
    func unfit(_ expected: String, found: String, _ path: CodingPathNode?) -> DecodingError {
        let message = "expected \(expected), found \(found) at \"\(path.shortPointer)\""
        rangeErrorPath = path
        return .dataCorrupted(DecodingError.Context(codingPath: [], debugDescription: message))
    }

    func context(
        _ message: String, _ path: CodingPathNode?, underlying: (any Error)? = nil
    ) -> DecodingError.Context {
        let location = path == nil ? "at the root" : "at \"\(path.shortPointer)\""
        return DecodingError.Context(
            codingPath: path.keys, debugDescription: "\(message) \(location)", underlyingError: underlying)
    }
}
