/// One step through a text in YAML. Tags are written out, such as `tag:yaml.org,2002:str`.
enum YAMLEvent {
    case documentBegins
    case mappingBegins(tag: String?, anchor: String?)
    case sequenceBegins(tag: String?, anchor: String?)
    /// The end of a mapping or a sequence.
    case collectionEnds
    /// Without quotes and not in a block, `isPlain` is true, and the content decides what the scalar is.
    case scalar([UInt8], isPlain: Bool, tag: String?, anchor: String?)
    case alias(String)
    case streamEnds
    /// The beginning of the stream, or the end of a document.
    case other
}
