import HTTPSemantics
import HTTPWire

/// The fields that are the same in every response of one type and coding, and the date, written once. Most responses
/// have the same fields as the one before.
final class ResponseFields {
    private final class Entry {
        let contentType: String?
        let coding: ContentCoding
        let isNegotiated: Bool
        let variesByType: Bool
        let fields: Fields

        init(_ contentType: String?, _ coding: ContentCoding, isNegotiated: Bool, variesByType: Bool, _ fields: Fields)
        {
            self.contentType = contentType
            self.coding = coding
            self.isNegotiated = isNegotiated
            self.variesByType = variesByType
            self.fields = fields
        }
    }

    /// Enough for the types of the service's own responses with each coding. Others are written each time.
    private static let maxEntries = 48

    private var known: [Entry] = []
    /// The value of Date.
    private(set) var date: [UInt8] = []
    private var dateSeconds: Int64 = -1

    /// Begins a turn of the loop.
    func setWallTime(nanoseconds: Int64) {
        let seconds = nanoseconds / 1_000_000_000
        guard seconds != dateSeconds else { return }
        dateSeconds = seconds
        date = HTTPDate.imfFixdate(seconds)
    }

    /// - Parameters:
    ///   - contentType: nil if there is no body.
    ///   - isNegotiated: whether the client decides about the compression.
    ///   - variesByType: whether it decides about the type.
    func fields(
        _ contentType: String?, _ coding: ContentCoding, isNegotiated: Bool, variesByType: Bool
    ) -> Fields {
        let index = known.firstIndex {
            $0.coding == coding && $0.isNegotiated == isNegotiated && $0.variesByType == variesByType
                && $0.contentType == contentType
        }
        if let index { return known[index].fields }
        var fields = Fields()
        if let contentType { fields.append("Content-Type", contentType) }
        if let value = coding.fieldValue { fields.append("Content-Encoding", value) }
        if isNegotiated { fields.append("Vary", variesByType ? "Accept, Accept-Encoding" : "Accept-Encoding") }
        fields.append("X-Content-Type-Options", "nosniff")
        if known.count < Self.maxEntries {
            known.append(
                Entry(contentType, coding, isNegotiated: isNegotiated, variesByType: variesByType, fields))
        }
        return fields
    }
}
