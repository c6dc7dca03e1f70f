import ConvertCore

/// Converters that have finished a payload and wait for the next of the same recipe: what they learned about keys stays.
///
/// One loop has one pool.
final class ConverterPool {
    /// A converter and the bytes it has written.
    final class Unit {
        /// Held so that no other recipe can get its identity while units wait under it.
        let recipe: Recipe
        let framing: Converter.Framing
        var converter: Converter
        var output = ByteBuffer()

        init(_ recipe: Recipe, _ framing: Converter.Framing) {
            self.recipe = recipe
            self.framing = framing
            converter = Converter(recipe.plan, framing: framing)
        }

        /// Converts the next bytes of a payload.
        func convert(_ bytes: Span<UInt8>) throws(ConversionError) { try converter.convert(bytes, into: &output) }

        func finish() throws(ConversionError) { try converter.finish(into: &output) }
    }

    private struct Key: Hashable {
        let recipe: ObjectIdentifier
        let framing: Converter.Framing
    }

    private static let maxKeys = 64
    /// Units that wait, of all keys together: many connections may convert at one time, since their bodies come in pieces.
    private static let maxUnits = 128
    /// A unit whose output has outgrown this is not kept.
    private static let maxKeptBytes = 256 * 1024

    private var waiting: [Key: [Unit]] = [:]
    /// Units in `waiting`.
    private var count = 0

    func take(_ recipe: Recipe, _ framing: Converter.Framing) -> Unit {
        let key = Key(recipe: ObjectIdentifier(recipe), framing: framing)
        guard let unit = waiting[key]?.popLast() else { return Unit(recipe, framing) }
        count -= 1
        return unit
    }

    /// Takes a unit back, whether its payload was finished or not.
    func giveBack(_ unit: Unit) {
        guard unit.output.capacity <= Self.maxKeptBytes else { return }
        unit.output.removeAll()
        unit.converter.reset()
        let key = Key(recipe: ObjectIdentifier(unit.recipe), framing: unit.framing)
        if waiting[key] == nil, waiting.count >= Self.maxKeys || count >= Self.maxUnits { removeAll() }
        guard count < Self.maxUnits else { return }
        waiting[key, default: []].append(unit)
        count += 1
    }

    /// Lets go of everything, as when other profiles have been loaded.
    func removeAll() {
        waiting.removeAll()
        count = 0
    }
}
