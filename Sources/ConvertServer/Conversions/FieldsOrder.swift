import ConvertEngine

/// Which fields of a converted payload stay.
package enum FieldsOrder: Sendable {
    /// Those that the recipe keeps in the document.
    case document(Recipe)
    /// Those that the recipes keep in the resource objects of a JSON:API document, by the type of the resource. A
    /// resource of another type stays whole.
    case resources([[UInt8]: Recipe])

    /// The recipe that keeps the type of a resource.
    static let typeRecipe = Recipe(.keeping(fields: [[.literal(Array("type".utf8))]], output: OutputOptions()))
}
