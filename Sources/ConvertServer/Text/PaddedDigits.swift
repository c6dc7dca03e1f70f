extension String {
    /// The digits of a number that is not negative, with leading zeros up to at least `width` digits.
    @inlinable
    package init(_ number: some BinaryInteger, width: Int, radix: Int = 10) {
        let digits = String(number, radix: radix)
        self = String(repeating: "0", count: Swift.max(0, width - digits.utf8.count)) + digits
    }
}
