/// How a request's payload is converted, and the media type of the result.
struct ConversionOrder: Sendable {
    let recipe: Recipe
    let type: PayloadType
    /// The media type of the response.
    let contentType: String
}
