import ConvertEngine

/// The action for an element that cannot be decoded.
public enum ElementFailurePolicy: Sendable, Hashable {
    /// The whole value fails.
    case fail
    /// The element is left out, and reported: by `decodeReporting` or to `onElementFailure`.
    case skip
    /// The replacement is decoded instead of the element, and the failure is reported. If the replacement cannot be decoded either,
    /// the whole value fails with the element's error.
    case replace(with: JSONValue)
}

/// A policy, and the arrays that it applies to.
public struct ElementFailureRule: Sendable, Hashable {
    /// A JSON Pointer to the array, in the keys that the type sees; nil for every array. A segment `*` matches any one segment.
    public let array: JSONPointer?
    /// The action for an element that cannot be decoded.
    public let policy: ElementFailurePolicy

    /// The policy for the elements of one array, or of each array that a pattern such as `/sections/*/articles` matches.
    ///
    /// An `array` that is not a JSON Pointer is a programming error and traps.
    public init(_ policy: ElementFailurePolicy, inArray array: StaticString) {
        // A release build shows the message of this error, but not of a precondition.
        guard let pointer = JSONPointer(array.description) else {
            fatalError("\(array) is not a JSON Pointer, e.g. /people")
        }
        self.array = pointer
        self.policy = policy
    }

    /// The policy for the elements of an array that is known only when the program runs; `*` matches any one segment.
    public init(_ policy: ElementFailurePolicy, inArray array: JSONPointer) {
        self.array = array
        self.policy = policy
    }

    /// The policy for the elements of every array.
    public init(_ policy: ElementFailurePolicy) {
        array = nil
        self.policy = policy
    }

    /// Whether the rule applies to the array at these keys.
    func fits(_ keys: [any CodingKey]) -> Bool {
        guard let array else { return true }
        guard array.segments.count == keys.count else { return false }
        return zip(array.segments, keys).allSatisfy { segment, key in
            segment == "*" || segment.utf8.elementsEqual(JSONPointer.segment(key).utf8)
        }
    }
}

extension ElementFailureRule: CustomStringConvertible {
    /// `skip elements of /sections/*/articles`, or `skip elements of every array`.
    public var description: String {
        let action =
            switch policy {
            case .fail: "fail on"
            case .skip: "skip"
            case .replace: "replace"
            }
        guard let array else { return "\(action) elements of every array" }
        return "\(action) elements of " + (array.segments.isEmpty ? "the root" : array.description)
    }
}

/// One element that could not be decoded.
public struct ElementFailure: Sendable {
    /// The path of the element in the payload before conversion.
    enum Source: Sendable {
        case unknown
        /// The same path as the type sees.
        case same
        case pointer(String)
    }

    /// The error of decoding the element.
    public internal(set) var error: any Error
    /// The path as a shared list: many elements may fail below one long key.
    private let path: CodingPathNode
    var source = Source.unknown

    /// JSON Pointer to the element as the type sees it: with the keys and indices after the profile.
    public var pointer: String { Optional(path).pointer }

    /// JSON Pointer to the element in the payload, before the profile renamed or moved anything; nil if that is not known.
    public var payloadPointer: String? {
        switch source {
        case .unknown: nil
        case .same: pointer
        case .pointer(let pointer): pointer
        }
    }

    init(at path: CodingPathNode, _ error: any Error) {
        self.path = path
        self.error = error
    }
}

extension ElementFailure: CustomStringConvertible {
    /// `/people/3: ` and the error.
    public var description: String { "\(pointer): \(error)" }
}

/// A collection whose elements can be decoded one by one, so that one of them may fail.
protocol ElementwiseDecodable {
    init(elementsOf decoder: TapeDecoder, _ policy: ElementFailurePolicy) throws
}

extension Array: ElementwiseDecodable where Element: Decodable {
    init(elementsOf decoder: TapeDecoder, _ policy: ElementFailurePolicy) throws {
        self = try decoder.session.elements(of: decoder, policy)
    }
}

extension Set: ElementwiseDecodable where Element: Decodable {
    init(elementsOf decoder: TapeDecoder, _ policy: ElementFailurePolicy) throws {
        let elements: [Element] = try decoder.session.elements(of: decoder, policy)
        self.init(elements)
    }
}

extension DecodingSession {
    /// The policy for the array at `path`; nil if an element that fails is an error of the whole value.
    func failurePolicy(at path: CodingPathNode?) -> ElementFailurePolicy? {
        let keys = path.keys
        guard let index = settings.elementFailures.firstIndex(where: { $0.fits(keys) }) else { return nil }
        usedFailureRules.insert(index)
        let policy = settings.elementFailures[index].policy
        return policy == .fail ? nil : policy
    }

    /// The rules that no array has used.
    var unmatchedFailureRules: [ElementFailureRule] {
        let rules = settings.elementFailures
        return rules.indices.filter { !usedFailureRules.contains($0) }.map { rules[$0] }
    }

    fileprivate func elements<Element: Decodable>(
        of decoder: TapeDecoder, _ policy: ElementFailurePolicy
    ) throws -> [Element] {
        guard token(decoder.index).kind == .array else { throw mismatch([Any].self, decoder.index, decoder.path) }
        var elements: [Element] = []
        elements.reserveCapacity(token(decoder.index).count)
        var index = decoder.index + 1
        var position = 0
        while index < token(decoder.index).next {
            let path = decoder.path.appending(IndexKey(position))
            let failuresBefore = failures.count
            do {
                elements.append(try value(Element.self, at: index, path: path))
            } catch {
                // Failures inside an element that is now left out itself are no longer of interest.
                failures.removeSubrange(failuresBefore...)
                failures.append(ElementFailure(at: path, error))
                if case .replace(let replacement) = policy {
                    elements.append(try self.replacement(Element.self, replacement, path, for: error))
                }
            }
            index = token(index).next
            position += 1
        }
        return elements
    }

    private func replacement<Element: Decodable>(
        _ type: Element.Type, _ replacement: JSONValue, _ path: CodingPathNode, for error: any Error
    ) throws -> Element {
        var tape = JSONTape()
        replacement.write(into: &tape.text)
        tape.index()
        let session = DecodingSession(Cell(tape), settings, sortsMembers: sortsMembers)
        let value: Element
        do {
            value = try session.value(type, at: 0, path: path)
        } catch let replacementError {
            let message = "neither the element nor its replacement can be decoded"
            guard let error = error as? DecodingError else {
                throw DecodingError.dataCorrupted(context(message, path, underlying: error))
            }
            throw error.mapContext { context in
                DecodingError.Context(
                    codingPath: context.codingPath, debugDescription: "\(message): \(context.debugDescription)",
                    underlyingError: replacementError)
            }
        }
        failures += session.failures
        usedFailureRules.formUnion(session.usedFailureRules)
        return value
    }
}
