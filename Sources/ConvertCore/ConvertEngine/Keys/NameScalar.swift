import ConvertText

/// One scalar of a key, with its class and its position in the key's bytes.
struct NameScalar {
    let scalar: Unicode.Scalar
    /// The class of the scalar alone.
    ///
    /// In a key, a mark belongs to the scalar before it. After a separator or a symbol it gets that scalar's class, so it does not begin a
    /// word. At the start of a key it is `other`.
    let scalarClass: ScalarClass
    /// The index of the byte after it.
    let end: Int

    /// Nil at the end of the key, and if the bytes at `index` are not UTF-8.
    @inline(__always)
    init?(_ name: Span<UInt8>, at index: Int) {
        guard index < name.count else { return nil }
        if name[index] < ASCII.firstNonASCII {
            (scalar, end) = (Unicode.Scalar(name[index]), index + 1)
        } else {
            guard let sequence = UTF8Sequence.scalar(in: name, at: index) else { return nil }
            (scalar, end) = (sequence.scalar, index + sequence.count)
        }
        scalarClass = ScalarClass(scalar)
    }

    /// The scalars of a text up to the first byte that is not UTF-8.
    static func all(in text: Span<UInt8>) -> [NameScalar] {
        var scalars: [NameScalar] = []
        while let next = NameScalar(text, at: scalars.last?.end ?? 0) { scalars.append(next) }
        return scalars
    }

    var isWhiteSpace: Bool {
        guard scalarClass == .separator else { return false }
        return scalar != "_" && scalar != "-" && scalar != "."
    }

    /// The class of the first scalar from `index` on that is not a mark; nil at the end of the key.
    ///
    /// Takes one step for each mark. With one call for each capital, the time is linear in the length of the key.
    static func classPastMarks(in name: Span<UInt8>, from index: Int) -> ScalarClass? {
        var index = index
        while let next = NameScalar(name, at: index) {
            if next.scalarClass != .mark { return next.scalarClass }
            index = next.end
        }
        return nil
    }
}
