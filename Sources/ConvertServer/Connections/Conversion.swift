import ConvertCore

/// One payload on its way through a converter.
struct Conversion {
    let order: ConversionOrder
    let unit: ConverterPool.Unit
    private var isUncertain: Bool
    /// How it ended, as far as is known; nil for what turned out to be no payload.
    private(set) var result: ConversionResult? = .aborted
    /// Time spent in the converter.
    private(set) var nanoseconds: Int64 = 0

    init(_ order: ConversionOrder, _ pool: ConverterPool) {
        self.order = order
        unit = pool.take(order.recipe, order.type.framing)
        isUncertain = order.type.isUncertain
    }

    /// Converts the next bytes of the payload into the unit's output, and takes the time.
    mutating func convert(_ bytes: Span<UInt8>, _ clock: () -> MonotonicTime) throws(Problem) {
        if isUncertain { try judge(bytes) }
        let start = clock()
        defer { nanoseconds += clock().nanoseconds - start.nanoseconds }
        do throws(ConversionError) {
            try unit.convert(bytes)
        } catch {
            result = .fault(error.code)
            throw Problem(error)
        }
    }

    /// Ends the payload.
    mutating func finish() throws(Problem) {
        do throws(ConversionError) {
            try unit.finish()
            result = .ok
        } catch {
            result = .fault(error.code)
            throw Problem(error)
        }
    }

    /// Takes a form's content for JSON only if it begins like an object or an array, as no form does.
    private mutating func judge(_ bytes: Span<UInt8>) throws(Problem) {
        for index in 0..<bytes.count where !ASCII.isSpace(bytes[index]) {
            let isContainer =
                bytes[index] == ASCII.openBrace || bytes[index] == ASCII.openBracket
                || bytes[index] == ASCII.byteOrderMark[0]
            guard isContainer else {
                result = nil
                throw .unsupportedType(
                    "forms are not read; say application/json if this is JSON", acceptPost: PayloadType.accepted)
            }
            isUncertain = false
            return
        }
    }
}
