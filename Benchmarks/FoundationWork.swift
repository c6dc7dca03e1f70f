import FoundationEssentials

/// The work of a Swift service without Convert: decode with `convertFromSnakeCase`, then encode again.
///
/// The five renames and the search for duplicates are left out, which favours Foundation.
final class FoundationWork<Model: Codable> {
    private let texts: [Data]
    private let decoder = JSONDecoder()
    private let encoder = JSONEncoder()

    init(_ document: Document, _ model: Model.Type) {
        texts = document.texts
        decoder.keyDecodingStrategy = .convertFromSnakeCase
        encoder.outputFormatting = .withoutEscapingSlashes
    }

    /// Decodes and encodes every JSON text of the document once; returns the size of the output in bytes.
    func convert() throws -> Int {
        var count = 0
        for text in texts {
            count += try encoder.encode(decoder.decode(Model.self, from: text)).count
        }
        return count
    }

    /// Converts once and returns the output, one line for each JSON text.
    func result() throws -> [UInt8] {
        var output: [UInt8] = []
        for text in texts {
            output += try encoder.encode(decoder.decode(Model.self, from: text))
            output.append(UInt8(ascii: "\n"))
        }
        return output
    }
}
