import HTTPSemantics
import HTTPWire

/// The fields that are the same in every response of one type and coding, and the date, written once. Most responses
/// have the same fields as the one before.
final class ResponseFields {
    /// The fields of one type and coding. A response takes them, adds its own, and gives them back, so that nothing is
    /// allocated for it.
    final class Shared {
        let contentType: String?
        let coding: ContentCoding
        let isNegotiated: Bool
        let variesByType: Bool
        private var fields: Fields
        private let count: Int

        init(_ contentType: String?, _ coding: ContentCoding, isNegotiated: Bool, variesByType: Bool, _ fields: Fields)
        {
            self.contentType = contentType
            self.coding = coding
            self.isNegotiated = isNegotiated
            self.variesByType = variesByType
            self.fields = fields
            count = fields.count
        }

        func take() -> Fields {
            var taken = Fields()
            swap(&taken, &fields)
            return taken
        }

        func giveBack(_ taken: inout Fields) {
            taken.removeAll(after: count)
            swap(&taken, &fields)
        }
    }

    /// Enough for the types of the service's own responses with each coding. Others are written each time.
    private static let maxEntries = 48

    private var known: [Shared] = []
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
    func shared(
        _ contentType: String?, _ coding: ContentCoding, isNegotiated: Bool, variesByType: Bool
    ) -> Shared {
        let index = known.firstIndex {
            $0.coding == coding && $0.isNegotiated == isNegotiated && $0.variesByType == variesByType
                && $0.contentType == contentType
        }
        if let index { return known[index] }
        var fields = Fields()
        if let contentType { fields.append("Content-Type", contentType) }
        if let value = coding.fieldValue { fields.append("Content-Encoding", value) }
        if isNegotiated { fields.append("Vary", variesByType ? "Accept, Accept-Encoding" : "Accept-Encoding") }
        fields.append("X-Content-Type-Options", "nosniff")
        let shared = Shared(contentType, coding, isNegotiated: isNegotiated, variesByType: variesByType, fields)
        if known.count < Self.maxEntries { known.append(shared) }
        return shared
    }
}
