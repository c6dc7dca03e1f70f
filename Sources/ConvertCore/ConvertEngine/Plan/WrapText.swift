/// The text around each document: the beginning and the end of the object that contains it.
package struct WrapText: Sendable {
    /// The text before and after the document.
    package let beginning, end: [UInt8]
    /// The keys that lead to the document.
    package let names: [[UInt8]]

    package static let none = WrapText(beginning: [], end: [], names: [])

    package init(beginning: [UInt8], end: [UInt8], names: [[UInt8]]) {
        self.beginning = beginning
        self.end = end
        self.names = names
    }
}
