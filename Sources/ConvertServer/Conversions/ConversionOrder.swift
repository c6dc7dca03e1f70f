/// How a request's payload is converted, and the media type of the result.
package struct ConversionOrder: Sendable {
    package let recipe: Recipe
    package let type: PayloadType
    /// The media type of the response.
    package let contentType: String
    /// How the payload is converted as a JSON Patch; nil if it is a document.
    package let patch: PatchOrder?
    /// The fields of the result that stay; nil if all do.
    package let fields: FieldsOrder?

    package init(
        recipe: Recipe, type: PayloadType, contentType: String, patch: PatchOrder? = nil, fields: FieldsOrder? = nil
    ) {
        self.fields = fields
        self.recipe = recipe
        self.type = type
        self.contentType = contentType
        self.patch = patch
    }
}

/// How a JSON Patch is converted.
package struct PatchOrder: Sendable {
    /// Whether operations may read values of the document: `copy`, `move` and `test`.
    package let readsDocument: Bool

    package init(readsDocument: Bool) { self.readsDocument = readsDocument }
}
