import Text

/// One element of an Accept field: the media types that it covers and how much they are wanted (RFC 9110 §12.5.1).
///
/// It stays in the bytes of the field, since a client may name thousands.
struct MediaRange {
    private let type: ArraySlice<UInt8>
    private let subtype: ArraySlice<UInt8>
    package let quality: QualityValue

    /// Reads a media type whose first parameter `q`, if there is one, is its weight; nil for anything else.
    package init?(_ element: ArraySlice<UInt8>) {
        var reader = FieldReader(element)
        guard let type = reader.token(), reader.skip(ASCII.slash), let subtype = reader.token() else { return nil }
        self.type = type
        self.subtype = subtype
        var weight: ArraySlice<UInt8>?
        guard reader.parameters({ if weight == nil, $0.spells("q") { weight = $1 } }) else { return nil }
        guard let quality = weight.map({ QualityValue($0) }) ?? .one else { return nil }
        self.quality = quality
    }

    /// Whether this covers `other`, and how exactly: 0 for `*/*`, 1 for `type/*`, 2 for itself.
    func precision(covering other: MediaType) -> Int? {
        if type.spells("*") { return subtype.spells("*") ? 0 : nil }
        guard type.spells(other.type) else { return nil }
        if subtype.spells("*") { return 1 }
        return subtype.spells(other.subtype) ? 2 : nil
    }
}
