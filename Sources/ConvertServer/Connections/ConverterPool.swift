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
    private static let maxUnits = 8
    /// A unit whose output has outgrown this is not kept.
    private static let maxKeptBytes = 256 * 1024

    private var waiting: [Key: [Unit]] = [:]

    func take(_ recipe: Recipe, _ framing: Converter.Framing) -> Unit {
        waiting[Key(recipe: ObjectIdentifier(recipe), framing: framing)]?.popLast() ?? Unit(recipe, framing)
    }

    /// Takes a unit back, whether its payload was finished or not.
    func giveBack(_ unit: Unit) {
        guard unit.output.capacity <= Self.maxKeptBytes else { return }
        unit.output.removeAll()
        unit.converter.reset()
        let key = Key(recipe: ObjectIdentifier(unit.recipe), framing: unit.framing)
        if waiting[key] == nil, waiting.count >= Self.maxKeys { waiting.removeAll() }
        if waiting[key, default: []].count < Self.maxUnits { waiting[key, default: []].append(unit) }
    }

    /// Lets go of everything, as when other profiles have been loaded.
    func removeAll() { waiting.removeAll() }
}
