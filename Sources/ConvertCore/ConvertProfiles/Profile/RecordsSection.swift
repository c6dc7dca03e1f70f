package import ConvertEngine

/// A profile's `records` section: which values of a payload are records, and what happens to a bad one.
package struct RecordsSection: Sendable, Hashable {
    /// A pointer with input keys. In NDJSON every line is a record, also without it.
    package internal(set) var at: LocatedSelector?
    /// The action for a record that cannot be converted.
    package internal(set) var onError = RecordPolicy.fail
    package let location: DocumentLocation
}

extension Profile {
    /// The path of the records that may be discarded or become null; nil if there is none.
    var sparedRecords: LocatedSelector? { records.flatMap { $0.onError == .fail ? nil : $0.at } }
}

// MARK: - Reading

extension ProfileReader {
    mutating func readRecords(_ id: NodeID) -> RecordsSection? {
        guard let members = members(of: id, as: .records) else { return nil }
        var records = RecordsSection(location: location(id))
        if let node = members["at"], let selector = pointer(node, in: "records") {
            records.at = LocatedSelector(selector: selector, location: location(node))
        }
        if let node = members["onError"] { records.onError = choice(node) ?? .fail }
        return records
    }

    /// Refuses moves out of a record that may be discarded: each record must be written or discarded on its own.
    mutating func refuseMovesOutOfRecords(_ profile: Profile) {
        guard let at = profile.sparedRecords else { return }
        let record = at.selector.pointerSegments
        for move in profile.moves where record.count > move.anchor.count {
            let source = move.source.pointerSegments
            guard source.count >= record.count else { continue }
            let outer = Selector(segments: Array(source[..<record.count]))
            guard outer.canMatchSamePath(as: at.selector) else { continue }
            refuse(
                move.location, "the move takes a value out of a record that may be discarded",
                hint: "keep source and target below \(Self.quoted(at.selector))")
        }
    }
}
