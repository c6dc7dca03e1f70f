import Text

/// One element of an Accept field: the media types that it covers and their weight (RFC 9110 §12.5.1).
///
/// It refers to the bytes of the field, because a client may send thousands.
struct MediaRange {
    private let type: ArraySlice<UInt8>
    private let subtype: ArraySlice<UInt8>
    let quality: QualityValue

    /// Reads a media type. Its first parameter `q`, if there is one, is the weight. Nil for anything else.
    init?(_ element: ArraySlice<UInt8>) {
        var reader = FieldReader(element)
        guard let type = reader.token(), reader.skip(ASCII.slash), let subtype = reader.token() else { return nil }
        self.type = type
        self.subtype = subtype
        var weight: ArraySlice<UInt8>?
        guard reader.parameters({ if weight == nil, $0.spells("q") { weight = $1 } }) else { return nil }
        guard let quality = weight.map({ QualityValue($0) }) ?? .one else { return nil }
        self.quality = quality
    }

    /// How exactly this covers `other`: 0 for `*/*`, 1 for `type/*`, 2 for the type itself; nil if it does not.
    func precision(covering other: MediaType) -> Int? {
        if type.spells("*") { return subtype.spells("*") ? 0 : nil }
        guard type.spells(other.type) else { return nil }
        if subtype.spells("*") { return 1 }
        return subtype.spells(other.subtype) ? 2 : nil
    }
}
