/// What a request's payload is to be converted by, and what the result is called.
struct ConversionOrder: Sendable {
    let recipe: Recipe
    let type: PayloadType
    /// The media type of the answer.
    let contentType: String
}
