/// A name from outside. Two names are equal only if their bytes are.
///
/// Swift strings are equal if they are canonically equivalent: `é` in one scalar and in two, or `K` and the Kelvin
/// sign. A file system, a URL and a profile distinguish them.
package struct ExactText: Sendable {
    package let text: String

    package init(_ text: String) { self.text = text }
}

extension ExactText: Hashable {
    package static func == (left: ExactText, right: ExactText) -> Bool { left.text.utf8.elementsEqual(right.text.utf8) }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(text.utf8.count)
        for byte in text.utf8 { hasher.combine(byte) }
    }
}

extension ExactText: ExpressibleByStringInterpolation {
    package init(stringLiteral value: String) { self.init(value) }
}

extension ExactText: CustomStringConvertible {
    package var description: String { text }
}

extension RawRepresentable<String> where Self: CaseIterable {
    /// The case with exactly this name.
    package init?(exactly name: String) {
        guard let found = Self.allCases.first(where: { ExactText($0.rawValue) == ExactText(name) }) else { return nil }
        self = found
    }
}
