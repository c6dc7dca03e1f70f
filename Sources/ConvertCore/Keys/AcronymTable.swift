/// The acronyms of a case rule, by the spellings that they are found in.
struct AcronymTable: Sendable, Hashable {
    /// Spelling, as listed or in capitals, to the listed one.
    private var listed: [[Unicode.Scalar]: String] = [:]
    /// The lengths that occur, longest first, so that a look-up costs no more than their number.
    private var lengths: [Int] = []

    init(_ acronyms: [String]) {
        for acronym in acronyms where !acronym.isEmpty { listed[Array(acronym.unicodeScalars)] = acronym }
        for acronym in acronyms where !acronym.isEmpty {
            let capitals = acronym.unicodeScalars.flatMap { $0.properties.uppercaseMapping.unicodeScalars }
            if listed[capitals] == nil { listed[capitals] = acronym }
        }
        lengths = Set(listed.keys.map(\.count)).sorted(by: >)
    }

    /// The acronyms spelled at `start`, longest first.
    func spelled(
        in scalars: ArraySlice<Unicode.Scalar>, at start: Int
    ) -> some Sequence<(length: Int, listed: String)> {
        lengths.lazy.compactMap { length in
            guard start + length <= scalars.endIndex else { return nil }
            return listed[Array(scalars[start..<(start + length)])].map { (length, $0) }
        }
    }

    func isSpelled(in scalars: ArraySlice<Unicode.Scalar>, at start: Int) -> Bool {
        spelled(in: scalars, at: start).contains { _ in true }
    }
}
