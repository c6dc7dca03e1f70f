import ConvertText

@testable import ConvertEngine
@testable import ConvertProfiles

extension Selector {
    init(_ text: String) throws(SelectorError) { try self.init(parsing: Array(text.utf8)) }
}

/// A document with its errors marked by `§`, so that a test shows them in place. The marks are taken out.
struct MarkedDocument {
    let bytes: [UInt8]
    /// The lines and columns of the marks. Both count from 1, and columns count bytes.
    let marks: [JSONDocument.Position]

    init(_ text: String) {
        var bytes: [UInt8] = []
        var marks: [JSONDocument.Position] = []
        var line = 1
        var column = 1
        for character in text {
            if character == "§" {
                marks.append(.init(line: line, column: column))
                continue
            }
            let encoded = Array(String(character).utf8)
            bytes += encoded
            let endsLine = encoded.last == ASCII.lineFeed
            line += endsLine ? 1 : 0
            column = endsLine ? 1 : column + encoded.count
        }
        self.bytes = bytes
        self.marks = marks
    }
}

extension Profile {
    init(_ text: String) throws(ProfileError) { try self.init(parsing: Array(text.utf8)) }
}

/// The errors of a document; empty when it is a profile.
func profileFaults(_ bytes: [UInt8]) -> [ProfileFault] {
    do {
        _ = try Profile(parsing: bytes)
        return []
    } catch {
        return error.faults
    }
}
