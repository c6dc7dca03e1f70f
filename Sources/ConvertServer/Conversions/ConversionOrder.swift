/// How a request's payload is converted, and the media type of the result.
package struct ConversionOrder: Sendable {
    package let recipe: Recipe
    package let type: PayloadType
    /// The media type of the response; empty if its head does not depend on it, as at a gateway.
    package let contentType: String
    /// If the payload is a JSON Patch: whether its operations may read values of the document (`copy`, `move` and `test`). Otherwise nil.
    package let patchReadsDocument: Bool?
    /// The fields of the result that stay; nil if all do.
    package let fields: FieldsOrder?

    package init(
        recipe: Recipe, type: PayloadType, contentType: String = "", patchReadsDocument: Bool? = nil,
        fields: FieldsOrder? = nil
    ) {
        self.fields = fields
        self.recipe = recipe
        self.type = type
        self.contentType = contentType
        self.patchReadsDocument = patchReadsDocument
    }
}
