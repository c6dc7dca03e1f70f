import Text

/// Prefixes of field names, compared without case.
struct FieldPrefixes: Sendable {
    private static let leadBytes = 4

    /// The first four bytes of each prefix. They quickly exclude most names, which begin with none of the prefixes.
    private let leads: [UInt32]
    /// In lower case, in the same order.
    private let prefixes: [[UInt8]]

    /// - Parameter prefixes: of four bytes or more, in lower case.
    init(_ prefixes: [String]) {
        self.prefixes = prefixes.map { Array($0.utf8) }
        leads = self.prefixes.map { Self.lead(of: $0[...]) }
    }

    func cover(_ name: ArraySlice<UInt8>) -> Bool {
        guard name.count >= Self.leadBytes else { return false }
        let lead = Self.lead(of: name)
        for index in leads.indices where leads[index] == lead {
            let prefix = prefixes[index]
            if name.prefix(prefix.count).elementsEqual(prefix, by: { ASCII.lowercased($0) == $1 }) { return true }
        }
        return false
    }

    private static func lead(of name: ArraySlice<UInt8>) -> UInt32 {
        name.prefix(leadBytes).reduce(0) { $0 << 8 | UInt32(ASCII.lowercased($1)) }
    }
}
