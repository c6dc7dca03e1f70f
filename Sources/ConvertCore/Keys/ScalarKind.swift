/// What a Unicode scalar is to the word splitter, by its general category.
enum ScalarKind: Sendable {
    /// Lu, Lt.
    case capital
    /// Ll.
    case small
    /// Letters without case: Lm, Lo.
    case otherLetter
    /// Nd, Nl, No.
    case digit
    /// Mn, Mc, Me: belongs to the scalar before it.
    case mark
    /// Underscore, hyphen, full stop and white space.
    case separator
    /// The rest, such as `$` or `:`.
    case other

    init(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "a"..."z": self = .small
        case "A"..."Z": self = .capital
        case "0"..."9": self = .digit
        case "_", "-", ".": self = .separator
        default: self = scalar.properties.isWhitespace ? .separator : Self(scalar.properties.generalCategory)
        }
    }

    private init(_ category: Unicode.GeneralCategory) {
        switch category {
        case .uppercaseLetter, .titlecaseLetter: self = .capital
        case .lowercaseLetter: self = .small
        case .modifierLetter, .otherLetter: self = .otherLetter
        case .decimalNumber, .letterNumber, .otherNumber: self = .digit
        case .nonspacingMark, .spacingMark, .enclosingMark: self = .mark
        default: self = .other
        }
    }

    var isLetter: Bool { self == .capital || self == .small || self == .otherLetter }
    var isCased: Bool { self == .capital || self == .small }
    /// Whether a run of it stays verbatim at either end of a key.
    var isAffix: Bool { self == .separator || self == .other }

    /// The kinds of all scalars; a mark on a separator or another affix, or on nothing, is as that is.
    static func kinds(of scalars: ArraySlice<Unicode.Scalar>) -> [ScalarKind] {
        var kinds: [ScalarKind] = []
        kinds.reserveCapacity(scalars.count)
        for scalar in scalars {
            let kind = ScalarKind(scalar)
            if kind == .mark, kinds.last?.isAffix ?? true {
                kinds.append(kinds.last ?? .other)
            } else {
                kinds.append(kind)
            }
        }
        return kinds
    }
}
