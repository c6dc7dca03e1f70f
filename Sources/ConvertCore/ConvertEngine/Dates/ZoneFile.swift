import ConvertText

/// The system's time zone files.
package enum ZoneFile {
    /// The limit for zone files; the system's largest files have a few thousand bytes.
    static let maxFileBytes = 256 * 1024
    /// The limit for names of zones, in bytes.
    static let maxNameBytes = 64

    /// The directory in `$TZDIR`; without it, the usual directories of zone files.
    static var directories: [String] {
        if let variable = SystemInput.variable("TZDIR"), !variable.isEmpty {
            return [String(decoding: variable, as: UTF8.self)]
        }
        return ["/usr/share/zoneinfo", "/usr/lib/zoneinfo", "/usr/share/lib/zoneinfo", "/etc/zoneinfo"]
    }

    /// Whether `name` can be a zone's name: letters, digits, `_`, `+` and `-`, in segments between single slashes.
    ///
    /// It has no dots, so it cannot lead out of the directory.
    static func isZoneName(_ name: String) -> Bool {
        guard 1...maxNameBytes ~= name.utf8.count else { return false }
        var previous = ASCII.slash
        for byte in name.utf8 {
            let isPlain =
                ASCII.isLetter(byte) || ASCII.isDigit(byte) || byte == ASCII.underscore || byte == ASCII.plus
                || byte == ASCII.minus
            guard isPlain || byte == ASCII.slash && previous != ASCII.slash else { return false }
            previous = byte
        }
        return previous != ASCII.slash
    }

    /// The bytes of the first file with that name; nil if there is none, or it is empty or too large.
    static func read(_ name: String, in directories: [String]) -> [UInt8]? {
        guard isZoneName(name) else { return nil }
        for directory in directories {
            if let bytes = read(path: directory + "/" + name) { return bytes }
        }
        return nil
    }

    /// The limit for the edits between a name and the one that was probably meant.
    private static let maxNameEdits = 2

    /// The zone that a misspelt name probably means: one that differs in a few letters, or that has the name as its city.
    package static func nearestName(to name: String) -> String? {
        for directory in directories {
            guard let table = read(path: directory + "/zone1970.tab") else { continue }
            // Columns are separated by tabs: countries, coordinates, the name, comments.
            let names = table.split(separator: ASCII.lineFeed).compactMap { line -> String? in
                let columns = line.split(separator: ASCII.tab)
                guard line.first != ASCII.numberSign, columns.count > 2 else { return nil }
                return String(decoding: columns[2], as: UTF8.self)
            }
            let ending = "/\(name)".utf8.map { ASCII.lowercased($0) }
            let city = names.first { $0.utf8.map { ASCII.lowercased($0) }.suffix(ending.count) == ending[...] }
            return city ?? NearestName.nearest(to: Array(name.utf8), among: names, maxEdits: maxNameEdits)
        }
        return nil
    }

    private static func read(path: String) -> [UInt8]? { SystemInput.file(path, maxBytes: maxFileBytes) }
}
