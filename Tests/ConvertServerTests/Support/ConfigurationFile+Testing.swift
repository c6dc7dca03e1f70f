@testable import ConvertServer

extension ConfigurationFile {
    /// The file `convert.json` with this text.
    init(text: String) { self.init(path: "convert.json", document: Array(text.utf8)) }
}
