import ConvertText

/// One compiled date rule: recognises the input forms and writes the output form.
///
/// A rule is immutable and shared between threads; it keeps no state from one value to the next.
package struct DateRule: Sendable {
    let from: [DateForm]
    let to: DateForm
    let precision: Int?
    private let zone: Zone
    private let assumeZone: Zone?
    let isScan: Bool
    /// The message for a bad value.
    private let expectation: String
    /// Whether RFC 3339 in UTC with whole seconds stays unchanged.
    private let keepsPlainUTC: Bool
    /// Whether RFC 3339 is read before all other forms and written in UTC. Then `DateShape` converts dates of its shape faster.
    let turnsShapeToUTC: Bool

    /// The limit for dates in strings, in bytes: 128 in a scan, 1,024 for a named field.
    let maxContentBytes: Int

    /// Creates a rule of parts that fit together, which the reader of a profile checks.
    ///
    /// An empty `from` means `auto`; its first form is the one that the inverse writes. A scan has no `from` and no `assumeZone`.
    /// `precision` is the number of fraction digits of `rfc3339`, 0 to 9, or nil for as many as the input has. Without `assumeZone`
    /// a time without a zone is an error.
    package init(from: [DateForm], to: DateForm, precision: Int?, zone: Zone, assumeZone: Zone?, isScan: Bool) {
        self.from = from.isEmpty ? [.auto] : from
        self.to = to
        self.precision = precision
        self.zone = zone
        self.assumeZone = assumeZone
        self.isScan = isScan
        expectation = Self.expectation(self.from)
        let readsRFC3339 = isScan || self.from[0] == .auto || self.from[0] == .rfc3339 || self.from[0] == .iso8601
        turnsShapeToUTC = readsRFC3339 && to == .rfc3339 && zone == .utc
        keepsPlainUTC = turnsShapeToUTC && precision == nil
        maxContentBytes = isScan ? 128 : 1_024
    }

    /// Whether dates are written as JSON strings; otherwise as JSON numbers.
    var writesString: Bool { !to.writesNumber }

    /// The limit for written content, in bytes. For a pattern it is four times the pattern's length: `EEEE` becomes `Wednesday`.
    var maxOutputBytes: Int {
        if case .pattern(let pattern) = to { 4 * pattern.text.utf8.count } else { 40 }
    }

    /// Whether the written content may have a byte that JSON escapes.
    var contentMayNeedEscaping: Bool {
        if case .pattern(let pattern) = to { pattern.mayNeedEscaping } else { false }
    }

    /// The rule that reads this rule's output in `zone`, and writes the first form of `from` in `assumeZone` or, without one, UTC.
    ///
    /// Nil if the inverse leaves the value unchanged. That is so after a scan, if the first form cannot be written, or if the
    /// written form is a pattern with too few fields to be read.
    package func inverted() -> DateRule? {
        guard !isScan, from[0].isWritable else { return nil }
        if case .pattern(let pattern) = from[0], pattern.writingError != nil { return nil }
        if case .pattern(let pattern) = to, pattern.readingError != nil { return nil }
        return DateRule(
            from: [to], to: from[0], precision: nil, zone: assumeZone ?? .utc, assumeZone: zone, isScan: false)
    }

    /// Rewrites the unescaped content of a JSON string, and appends the new content, unescaped and without quotes. A scan leaves a value
    /// unchanged that is not an unambiguous date-time.
    func rewrite(string content: Span<UInt8>, into output: inout ByteBuffer) -> ValueRule.Outcome {
        if keepsPlainUTC, Self.isPlainUTC(content) { return .unchanged }
        guard !isScan else { return scan(content, into: &output) }
        guard content.count <= maxContentBytes else { return .bad(expectation) }
        let outcome = rewrite(into: &output) { form in form.read(string: content) }
        guard case .bad = outcome else { return outcome }
        for form in from {
            if let reason = form.error(in: content) { return .bad(reason) }
        }
        return outcome
    }

    /// Whether the content is `YYYY-MM-DDTHH:MM:SSZ` and a date; false for a leap second, which the full parser checks.
    package static func isPlainUTC(_ content: Span<UInt8>) -> Bool {
        guard content.count == DateShape.count + 1, content[DateShape.count] == ASCII.upperZ else { return false }
        var reader = ChunkReader(content)
        let day = reader.nextWord
        reader.advance(8)
        let time = reader.nextWord
        // The last word begins three bytes later, so that it is in the content. Its last three bytes are the seconds.
        reader.advance(3)
        return DateShape(day, time, reader.nextWord &>> 40) != nil
    }

    /// Rewrites a JSON number from its source text of any length; a scan never changes numbers.
    func rewrite(number text: Span<UInt8>, into output: inout ByteBuffer) -> ValueRule.Outcome {
        isScan ? .unchanged : rewrite(into: &output) { form in form.read(number: text) }
    }

    /// Writes the date that the first form reads. If it cannot be written, another form may read a zone in the same text, or count in
    /// another unit.
    @inline(__always)
    private func rewrite(into output: inout ByteBuffer, _ read: (DateForm) -> DateReading?) -> ValueRule.Outcome {
        var message = expectation
        for form in from {
            guard let reading = read(form) else { continue }
            let outcome = write(reading, into: &output)
            guard case .bad(let reason) = outcome else { return outcome }
            message = reason
        }
        return .bad(message)
    }

    /// The length in bytes of the shortest text with a day, a time and a zone.
    static let minScannedBytes = 14

    private func scan(_ content: Span<UInt8>, into output: inout ByteBuffer) -> ValueRule.Outcome {
        guard content.count <= maxContentBytes, let reading = DateForm.readScanned(content) else { return .unchanged }
        if case .bad = write(reading, into: &output) { return .unchanged }
        return writesString ? .string : .token
    }

    private func write(_ reading: DateReading, into output: inout ByteBuffer) -> ValueRule.Outcome {
        if reading.isDateOnly, to.writesDaysOnly {
            to.write(day: reading.date, into: &output)
            return .string
        }
        let instant: Instant
        do throws(DateReading.InstantError) {
            instant = try reading.instant(assuming: assumeZone)
        } catch {
            switch error {
            case .noZone: return .bad("expected a date with a zone, because the rule has no \"assumeZone\"")
            case .noLeapSecond: return .bad("expected second 60 only at 23:59 UTC on 30 June or 31 December")
            }
        }
        guard to.write(instant, zone: zone, precision: precision, into: &output) else {
            return .bad("expected a date in the years 0001 to 9999")
        }
        return writesString ? .string : .token
    }

    private static func expectation(_ forms: [DateForm]) -> String {
        guard forms != [.auto] else { return "expected a date" }
        let names = forms.map { form in if case .pattern(let pattern) = form { pattern.text } else { form.name } }
        return "expected a date in the format " + names.joined(separator: " or ")
    }
}
