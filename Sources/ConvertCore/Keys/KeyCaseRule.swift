/// How acronyms of the list are written where the target case capitalises a word.
public enum AcronymStyle: String, Sendable, Hashable, CaseIterable {
    case title, asListed
}

/// One case rule of a profile, ready to rewrite names.
public struct KeyCaseRule: Sendable, Hashable {
    public let target: KeyCase
    public let acronyms: [String]
    public let acronymStyle: AcronymStyle

    public init(target: KeyCase, acronyms: [String] = [], acronymStyle: AcronymStyle = .title) {
        self.target = target
        self.acronyms = acronyms
        self.acronymStyle = acronymStyle
    }

    /// The name in the target case. `name` is unescaped, valid UTF-8 of any length.
    public func converted(_ name: [UInt8]) -> [UInt8] { name }
}
