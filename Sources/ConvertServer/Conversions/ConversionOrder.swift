/// How a request's payload is converted, and the media type of the result.
package struct ConversionOrder: Sendable {
    package let recipe: Recipe
    package let type: PayloadType
    /// The media type of the response.
    package let contentType: String

    package init(recipe: Recipe, type: PayloadType, contentType: String) {
        self.recipe = recipe
        self.type = type
        self.contentType = contentType
    }
}
