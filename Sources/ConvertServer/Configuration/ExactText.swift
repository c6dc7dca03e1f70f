/// A name from outside: another is the same only if its bytes are.
///
/// Two strings are equal when they only look alike: `é` in one scalar and in two, or `K` and the Kelvin sign. A file system,
/// a URL and a profile tell them apart.
struct ExactText: Sendable {
    let text: String

    init(_ text: String) { self.text = text }
}

extension ExactText: Hashable {
    static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text.utf8.count)
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension ExactText: ExpressibleByStringInterpolation {
    init(stringLiteral value: String) { self.init(value) }
}

extension ExactText: CustomStringConvertible {
    var description: String { text }
}

extension RawRepresentable<String> where Self: CaseIterable {
    /// The case of exactly this name.
    init?(exactly name: String) {
        guard let found = Self.allCases.first(where: { ExactText($0.rawValue) == ExactText(name) }) else { return nil }
        self = found
    }
}
