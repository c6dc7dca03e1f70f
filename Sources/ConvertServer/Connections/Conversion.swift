import ConvertCore

/// One payload on its way through a converter.
struct Conversion {
    let order: ConversionOrder
    let unit: ConverterPool.Unit
    private var isUncertain: Bool

    init(_ order: ConversionOrder, _ pool: ConverterPool) {
        self.order = order
        unit = pool.take(order.recipe, order.type.framing)
        isUncertain = order.type.isUncertain
    }

    /// Converts the next bytes of the payload into the unit's output.
    mutating func convert(_ bytes: Span<UInt8>) throws(Problem) {
        if isUncertain { try judge(bytes) }
        try unit.convert(bytes)
    }

    /// Takes a form's content for JSON only if it begins like an object or an array, as no form does.
    private mutating func judge(_ bytes: Span<UInt8>) throws(Problem) {
        for index in 0..<bytes.count where !ASCII.isSpace(bytes[index]) {
            let isContainer =
                bytes[index] == ASCII.openBrace || bytes[index] == ASCII.openBracket
                || bytes[index] == ASCII.byteOrderMark[0]
            guard isContainer else {
                throw .unsupportedType(
                    "forms are not read; say application/json if this is JSON", acceptPost: PayloadType.accepted)
            }
            isUncertain = false
            return
        }
    }
}
