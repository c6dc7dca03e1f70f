import ConvertText
import Synchronization

/// A time zone: UTC, a fixed offset, or a name of the IANA database with all its rules.
package struct Zone: Sendable, Equatable {
    private enum Rules: Sendable {
        /// Seconds east of UTC.
        case fixed(Int)
        case table(ZoneRules)
    }

    /// The zone's name in profiles.
    package let name: String
    private let rules: Rules

    /// Whether its offset never changes.
    package var isFixed: Bool { if case .fixed = rules { true } else { false } }

    package static let utc = Zone(name: "UTC", rules: .fixed(0))

    /// Creates a zone from an IANA name, `±HH:MM` up to 18:00, or `UTC`.
    ///
    /// The file of a zone is read once for each process.
    package init(named name: String) throws(ZoneError) {
        if name == "UTC" {
            self = .utc
        } else if let offset = Self.fixedOffset(name) {
            self.init(name: name, rules: .fixed(offset))
        } else {
            self.init(name: name, rules: .table(try Self.table(named: name)))
        }
    }

    private init(name: String, rules: Rules) {
        self.name = name
        self.rules = rules
    }

    package static func == (left: Zone, right: Zone) -> Bool { left.name == right.name }

    /// Seconds east of UTC at a point in time, given in seconds since 1970.
    func offset(at seconds: Int64) -> Int {
        switch rules {
        case .fixed(let offset): offset
        case .table(let table): table.segment(at: seconds).offset
        }
    }

    /// The point in time, in seconds since 1970, at which this zone's local time is `local` (counted in the same way).
    ///
    /// A local time that is skipped uses the offset before the jump. For a local time that occurs twice, the result is the earlier time.
    func seconds(ofLocal local: Int64) -> Int64 {
        switch rules {
        case .fixed(let offset): local - Int64(offset)
        case .table(let table): table.seconds(ofLocal: local)
        }
    }

    /// The offset for `±HH:MM` in seconds east of UTC; nil for other names.
    private static func fixedOffset(_ name: String) -> Int? {
        let bytes = Array(name.utf8)
        guard bytes.first == ASCII.plus || bytes.first == ASCII.minus else { return nil }
        var cursor = DateCursor(bytes.span)
        guard let offset = cursor.isoOffset(isStrict: true), cursor.isAtEnd else { return nil }
        return offset
    }

    /// Rules by name. It never has more entries than the system has zone files.
    private static let cache = Mutex<[String: ZoneRules]>([:])

    private static func table(named name: String) throws(ZoneError) -> ZoneRules {
        guard ZoneFile.isZoneName(name) else {
            throw ZoneError(message: "this cannot be the name of a zone")
        }
        if let known = cache.withLock({ $0[name] }) { return known }
        guard let file = ZoneFile.read(name, in: ZoneFile.directories) else {
            #if arch(wasm32)
                throw ZoneError(message: "there is no such zone, or `provideFile` has not provided its file")
            #else
                throw ZoneError(message: "the system's time zone database has no zone of this name")
            #endif
        }
        let rules = try ZoneRules(parsing: file)
        cache.withLock { $0[name] = rules }
        return rules
    }
}

/// The reason why a name is not a zone.
package struct ZoneError: Error, Sendable, Equatable {
    package var message: String
}
