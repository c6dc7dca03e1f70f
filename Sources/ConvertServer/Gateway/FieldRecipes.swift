import Conversions
import ConvertEngine

/// The compiled selections of fields that clients of one loop used last.
final class FieldRecipes {
    static let maxCount = 64

    /// The last one that was used is the first.
    private var known: [(selection: FieldSelection, output: OutputOptions, order: FieldsOrder)] = []

    func order(_ selection: FieldSelection, of recipe: Recipe) -> FieldsOrder {
        var output = recipe.plan.output
        // It is sorted already.
        output.sortKeys = false
        let index = known.firstIndex { $0.selection.text == selection.text && $0.output == output }
        let found =
            index.map { known.remove(at: $0) }
            ?? (selection: selection, output: output, order: Self.compiled(selection, output))
        if known.count == Self.maxCount { known.removeLast() }
        known.insert(found, at: 0)
        return found.order
    }

    private static func compiled(_ selection: FieldSelection, _ output: OutputOptions) -> FieldsOrder {
        switch selection.scope {
        case .document(let paths): .document(Recipe(.keeping(fields: paths, output: output)))
        case .resources(let types):
            .resources(
                types.mapValues {
                    // Each resource is on one line, because it is written by itself.
                    Recipe(.keeping(fields: $0, output: OutputOptions(escapes: output.escapes)))
                })
        }
    }
}
