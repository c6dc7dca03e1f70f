import ConvertCore

/// Converters that have finished a payload and wait for the next of the same recipe: what they learned about keys stays.
///
/// One loop has one pool. Nothing is kept of a recipe that cannot come again: its profile may be a large one.
final class ConverterPool {
    /// A converter and the bytes it has written.
    final class Unit {
        let recipe: Recipe
        let framing: Converter.Framing
        var converter: Converter
        var output = ByteBuffer()
        /// How much the converter is given at once.
        var pace: SlicePace
        /// What the last bytes became that were written into an empty output.
        private var usualBytes = 0
        /// While it waits, the bytes of its converter that count towards `maxStoredBytes`.
        fileprivate var countedBytes = 0

        init(_ recipe: Recipe, _ framing: Converter.Framing) {
            self.recipe = recipe
            self.framing = framing
            converter = Converter(recipe.plan, framing: framing)
            pace = SlicePace(most: recipe.maxSliceBytes, isUnknown: !recipe.comesAgain)
        }

        /// Converts the next bytes of a payload; what was held of an object that ends is then written piece by piece, by
        /// `continueWriting`.
        func begin(_ bytes: Span<UInt8>) throws(ConversionError) {
            makeRoom()
            defer { usualBytes = output.count }
            try converter.begin(bytes, into: &output)
        }

        func continueWriting() throws(ConversionError) { try converter.continueWriting(into: &output) }

        /// Converts the last bytes of a payload, or all of it, and ends it.
        func finish(_ bytes: Span<UInt8>) throws(ConversionError) {
            makeRoom()
            defer { usualBytes = output.count }
            try converter.finish(bytes, into: &output)
        }

        func finish() throws(ConversionError) { try converter.finish(into: &output) }

        /// The next payload is likely as large as the last, whose storage may have gone with it: one allocation is cheaper than
        /// growing to that size again.
        private func makeRoom() { if output.isEmpty { output.reserve(min(usualBytes, maxKeptBytes)) } }
    }

    /// The units of one recipe and framing.
    private final class Shelf {
        let recipe: Recipe
        let framing: Converter.Framing
        var units: [Unit] = []

        init(_ recipe: Recipe, _ framing: Converter.Framing) {
            self.recipe = recipe
            self.framing = framing
        }

        func holds(_ recipe: Recipe, _ framing: Converter.Framing) -> Bool {
            self.recipe === recipe && self.framing == framing
        }
    }

    static let maxShelves = 64
    /// Units that wait, on all shelves together: many connections may convert at one time, since their bodies come in pieces.
    static let maxUnits = 128
    /// Storage for output that a unit may keep.
    private static let maxKeptBytes = 256 * 1024
    /// What a converter may store and be kept in any case: what it has after payloads of a few hundred names.
    private static let freeStoredBytes = 128 * 1024
    /// What those that wait and have more may store together: one may have megabytes, but not each of `maxUnits`.
    static let maxStoredBytes = 16 * 1024 * 1024

    /// The shelf that was used last is first: most payloads need it again, and the last shelf is released first.
    private var shelves: [Shelf] = []
    /// Units on all shelves.
    private(set) var count = 0
    /// The bytes that count towards `maxStoredBytes`.
    private(set) var storedBytes = 0

    private let allowedUnits: Int
    private let allowedStoredBytes: Int

    /// - Parameter maxBytes: what those that wait may take together: half of it for what they have in any case, half for more.
    init(maxBytes: Int = .max) {
        allowedUnits = max(1, min(Self.maxUnits, maxBytes / 2 / (Self.maxKeptBytes + Self.freeStoredBytes)))
        allowedStoredBytes = min(Self.maxStoredBytes, maxBytes / 2)
    }

    func take(_ recipe: Recipe, _ framing: Converter.Framing) -> Unit {
        guard let unit = shelf(recipe, framing)?.units.popLast() else { return Unit(recipe, framing) }
        noteGone(unit)
        return unit
    }

    /// Takes a unit back, whether its payload was finished or not.
    func giveBack(_ unit: Unit) {
        guard unit.recipe.comesAgain else { return }
        let bytes = unit.converter.storedBytes
        unit.countedBytes = bytes > Self.freeStoredBytes ? bytes : 0
        guard unit.countedBytes <= allowedStoredBytes - storedBytes else { return }
        if unit.output.capacity > Self.maxKeptBytes { unit.output = ByteBuffer() } else { unit.output.removeAll() }
        unit.converter.reset()
        let shelf = shelf(unit.recipe, unit.framing) ?? newShelf(unit.recipe, unit.framing)
        if count >= allowedUnits {
            // Of its own shelf it would only take its own place.
            guard let other = shelves.last(where: { !$0.units.isEmpty }), other !== shelf else { return }
            noteGone(other.units.removeLast())
        }
        shelf.units.append(unit)
        count += 1
        storedBytes += unit.countedBytes
    }

    /// Lets go of everything, as when other profiles have been loaded.
    func removeAll() {
        shelves.removeAll()
        count = 0
        storedBytes = 0
    }

    private func noteGone(_ unit: Unit) {
        count -= 1
        storedBytes -= unit.countedBytes
    }

    private func shelf(_ recipe: Recipe, _ framing: Converter.Framing) -> Shelf? {
        guard let index = shelves.firstIndex(where: { $0.holds(recipe, framing) }) else { return nil }
        if index > 0 { shelves.insert(shelves.remove(at: index), at: 0) }
        return shelves[0]
    }

    private func newShelf(_ recipe: Recipe, _ framing: Converter.Framing) -> Shelf {
        if shelves.count == Self.maxShelves { shelves.removeLast().units.forEach(noteGone) }
        let shelf = Shelf(recipe, framing)
        shelves.insert(shelf, at: 0)
        return shelf
    }
}
