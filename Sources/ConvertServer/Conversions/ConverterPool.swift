package import ConvertEngine

/// Converters that have finished a payload and wait for the next one of the same recipe. They keep their remembered
/// keys.
///
/// Each loop has one pool. A recipe that cannot be used again is not kept, because its profile may be large.
package final class ConverterPool {
    /// A converter and the bytes it has written.
    package final class Unit {
        package let recipe: Recipe
        package let framing: Converter.Framing
        package var converter: Converter
        package var output = ByteBuffer()
        /// How many bytes the converter gets at a time.
        var pace: SlicePace
        /// The size of the last output that started empty.
        private var usualBytes = 0
        /// The bytes of its converter that count towards `maxStoredBytes` while it waits.
        fileprivate var countedBytes = 0

        package init(_ recipe: Recipe, _ framing: Converter.Framing) {
            self.recipe = recipe
            self.framing = framing
            converter = Converter(recipe.plan, framing: framing)
            pace = SlicePace(most: recipe.maxSliceBytes, isUnknown: !recipe.comesAgain)
        }

        /// Converts the next bytes of a payload. If a buffered object ends, `continueWriting` then writes it piece by
        /// piece.
        package func begin(_ bytes: Span<UInt8>) throws(ConversionError) {
            makeRoom()
            defer { usualBytes = output.count }
            try converter.begin(bytes, into: &output)
        }

        package func continueWriting() throws(ConversionError) { try converter.continueWriting(into: &output) }

        /// Converts the next bytes of a payload, and writes all of their output.
        func convert(_ bytes: Span<UInt8>) throws(ConversionError) {
            makeRoom()
            defer { usualBytes = output.count }
            try converter.convert(bytes, into: &output)
        }

        /// Converts the last bytes of a payload, or all of it, and ends it.
        package func finish(_ bytes: Span<UInt8>) throws(ConversionError) {
            makeRoom()
            defer { usualBytes = output.count }
            try converter.finish(bytes, into: &output)
        }

        package func finish() throws(ConversionError) { try converter.finish(into: &output) }

        /// Converts a whole JSON Patch.
        func convert(patch: [UInt8], readsDocument: Bool) throws(ConversionError) {
            try converter.convert(patch: patch, readsDocument: readsDocument, into: &output)
        }

        /// The next payload is probably as large as the last one, whose storage may be gone. One allocation is cheaper
        /// than growing to that size again.
        private func makeRoom() { if output.isEmpty { output.reserve(min(usualBytes, maxKeptBytes)) } }
    }

    /// The most units that wait. Many connections may convert at the same time, because their bodies arrive in pieces.
    static let maxUnits = 128
    /// The most storage for output that a unit may keep.
    private static let maxKeptBytes = 256 * 1024
    /// A converter with less storage is always kept. This is the size after payloads with a few hundred keys.
    private static let freeStoredBytes = 128 * 1024
    /// The most bytes that larger waiting converters may store together. One may have megabytes, but not each of
    /// `maxUnits`.
    static let maxStoredBytes = 16 * 1024 * 1024

    /// The unit that was used last is last. The first one is released for another.
    private var waiting: [Unit] = []
    /// The bytes that count towards `maxStoredBytes`.
    package private(set) var storedBytes = 0
    package var count: Int { waiting.count }

    private let allowedUnits: Int
    private let allowedStoredBytes: Int

    /// - Parameter maxBytes: the limit for all waiting units. One half is for the storage that each has, the other half
    ///   for more.
    package init(maxBytes: Int = .max) {
        allowedUnits = max(1, min(Self.maxUnits, maxBytes / 2 / (Self.maxKeptBytes + Self.freeStoredBytes)))
        allowedStoredBytes = min(Self.maxStoredBytes, maxBytes / 2)
    }

    package func take(_ recipe: Recipe, _ framing: Converter.Framing) -> Unit {
        let index = waiting.lastIndex { $0.recipe === recipe && $0.framing == framing }
        guard let index else { return Unit(recipe, framing) }
        return remove(at: index)
    }

    /// Takes a unit back, with or without a finished payload.
    package func giveBack(_ unit: Unit) {
        guard unit.recipe.comesAgain else { return }
        unit.converter.reset()
        let bytes = unit.converter.storedBytes
        unit.countedBytes = bytes > Self.freeStoredBytes ? bytes : 0
        guard unit.countedBytes <= allowedStoredBytes else { return }
        unit.output.removeAll(keepingAtMost: Self.maxKeptBytes)
        while unit.countedBytes > allowedStoredBytes - storedBytes,
            let index = waiting.firstIndex(where: { $0.countedBytes > 0 })
        {
            _ = remove(at: index)
        }
        if waiting.count == allowedUnits { _ = remove(at: 0) }
        waiting.append(unit)
        storedBytes += unit.countedBytes
    }

    /// Releases everything, for example after other profiles were loaded.
    package func removeAll() {
        waiting.removeAll()
        storedBytes = 0
    }

    private func remove(at index: Int) -> Unit {
        let unit = waiting.remove(at: index)
        storedBytes -= unit.countedBytes
        return unit
    }
}
