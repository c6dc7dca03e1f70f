import ConvertEngine
import ConvertText

/// Rules of `dates` that may explain how values changed.
struct DateCandidates {
    private static let patterns = [
        "yyyyMMdd", "dd/MM/yyyy", "MM/dd/yyyy", "dd.MM.yyyy", "d MMM yyyy", "dd/MM/yyyy HH:mm", "yyyy-MM-dd HH:mm:ss",
        "yyyy/MM/dd", "yyyy-MM-dd'T'HH:mm:ssXXX", "yyyy-MM-dd'T'HH:mm:ss", "EEE d MMM yy hh:mm a", "yyyyMMddHHmmss",
    ]
    private static let zones = [
        "UTC", "Europe/Paris", "Europe/London", "America/New_York", "America/Los_Angeles", "Asia/Kolkata", "Asia/Tokyo",
    ]
    /// The most values that are tried to find their date formats.
    private static let maxLooks = 40

    private let before: [[UInt8]]
    private let after: [[UInt8]]

    init(_ open: Set<ValueInference.Event>) {
        let some = open.filter { $0.after != ValueInference.null }.sorted {
            $0.before.lexicographicallyPrecedes($1.before)
        }.prefix(Self.maxLooks)
        before = some.map(\.before)
        after = some.map(\.after)
    }

    /// The members of each rule except `at`, and whether the rule scans and needs no `at`. Simple rules come first.
    var all: [(members: String, isScan: Bool)] {
        let targets = Self.forms.filter { Self.reads($0, after) }
        guard !targets.isEmpty else { return [] }
        let sources = ["\"auto\""] + Self.forms.filter { Self.reads($0, before) }
        var found: [(String, Bool)] = []
        for target in targets {
            for precision in target == "\"rfc3339\"" ? precisions : [""] {
                for zone in [""] + zones(target) {
                    let to = "\"to\":\(target)\(precision)\(zone.isEmpty ? "" : ",\"zone\":\"\(zone)\"")"
                    if target == "\"rfc3339\"" { found.append((to, true)) }
                    for source in sources {
                        let from = source == "\"auto\"" ? "" : "\"from\":\(source),"
                        found.append((from + to, false))
                        for assumed in Self.zones + offsets where Self.lacksZone(before) {
                            found.append((from + to + ",\"assumeZone\":\"\(assumed)\"", false))
                        }
                    }
                }
            }
        }
        return found
    }

    /// Forms as a profile writes them in `to` and in `from`.
    private static let forms: [String] =
        DateForm.writableNames.map { "\"\($0)\"" } + patterns.map { "{\"pattern\":\"\($0)\"}" }

    private static func reads(_ form: String, _ values: [[UInt8]]) -> Bool {
        let rule = "\"at\":\"/v\",\"from\":\(form),\"to\":\"epoch-ns\",\"assumeZone\":\"UTC\""
        guard var trial = ValueTrial("{\"dates\":{\(rule)}}") else { return false }
        return values.contains { trial.result(of: $0) != nil }
    }

    /// Whether some value is a string that is not a date with a zone, so that it may need `assumeZone`.
    private static func lacksZone(_ values: [[UInt8]]) -> Bool {
        guard var trial = ValueTrial(#"{"dates":{"at":"/v","to":"epoch-ns"}}"#) else { return false }
        return values.contains { $0.first == ASCII.quote && trial.result(of: $0) == nil }
    }

    private var precisions: [String] {
        let digits = Set(
            after.map { text in
                text.firstIndex(of: ASCII.dot).map { dot in text[(dot + 1)...].prefix { ASCII.isDigit($0) }.count } ?? 0
            })
        return [""] + (digits.count == 1 ? digits.map { ",\"precision\":\($0)" } : [])
    }

    /// The zones to try for a form, besides UTC: the offsets in the outputs, and named zones.
    private func zones(_ form: String) -> [String] {
        switch form {
        case "\"rfc3339\"", "\"rfc2822\"": offsets.isEmpty ? [] : offsets + Self.zones.dropFirst()
        case "\"date\"": Array(Self.zones.dropFirst())
        default: form.hasPrefix("{") ? offsets + Self.zones.dropFirst() : []
        }
    }

    private var offsets: [String] {
        Set(
            after.compactMap { text -> String? in
                let tail = text.dropLast().suffix(6)
                guard tail.count == 6, tail.first == ASCII.plus || tail.first == ASCII.minus,
                    tail[tail.startIndex + 3] == ASCII.colon
                else { return nil }
                return String(decoding: tail, as: UTF8.self)
            }
        ).sorted()
    }
}
