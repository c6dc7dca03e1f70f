import Conversions
import ConvertEngine

/// The compiled selections of fields that clients of one loop used last.
final class FieldRecipes {
    static let maxCount = 64

    /// The last one that was used is the first.
    private var known: [(text: [UInt8], output: OutputOptions, recipe: Recipe)] = []

    /// The recipe of a selection, for the output of another recipe.
    func recipe(_ selection: FieldSelection, of recipe: Recipe) -> Recipe {
        var output = recipe.plan.output
        // It is sorted already.
        output.sortKeys = false
        let index = known.firstIndex { $0.text == selection.text && $0.output == output }
        let found =
            index.map { known.remove(at: $0) }
            ?? (text: selection.text, output: output, recipe: Recipe(.keeping(fields: selection.paths, output: output)))
        if known.count == Self.maxCount { known.removeLast() }
        known.insert(found, at: 0)
        return found.recipe
    }
}
