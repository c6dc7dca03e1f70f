/// An event as a client gets it by WHATWG HTML §9.2.6, read from a whole stream at once.
struct ReceivedEvent: Equatable, CustomStringConvertible {
    var name: String
    var data: String
    var id: String

    var description: String { "\(name) \(data.debugDescription) \(id)" }

    init(_ data: String, of name: String = "message", id: String = "") {
        (self.name, self.data, self.id) = (name, data, id)
    }

    static func all(in bytes: [UInt8]) -> [ReceivedEvent] {
        var text = String(decoding: bytes, as: UTF8.self).unicodeScalars[...]
        if text.first == "\u{FEFF}" { text = text.dropFirst() }
        let whole = String(String.UnicodeScalarView(text))
        // Every line end becomes a line feed.
        let lines = whole.unicodeScalars.split(omittingEmptySubsequences: false) { $0 == "\n" || $0 == "\r" }
        let ends: [Unicode.Scalar] = whole.unicodeScalars.filter { $0 == "\n" || $0 == "\r" }
        var events: [ReceivedEvent] = []
        var (name, id) = ("", "")
        var data: [String] = []
        // The text after the last line end is not a line.
        for (index, line) in lines.dropLast().enumerated() {
            // The empty line between a carriage return and its line feed.
            if line.isEmpty, index > 0, ends[index] == "\n", ends[index - 1] == "\r" { continue }
            guard !line.isEmpty else {
                if !data.isEmpty {
                    events.append(
                        ReceivedEvent(data.joined(separator: "\n"), of: name.isEmpty ? "message" : name, id: id))
                }
                (name, data) = ("", [])
                continue
            }
            guard line.first != ":" else { continue }
            let parts = line.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
            var value = parts.count > 1 ? parts[1] : "".unicodeScalars[...]
            if value.first == " " { value = value.dropFirst() }
            let text = String(String.UnicodeScalarView(value))
            switch String(String.UnicodeScalarView(parts[0])) {
            case "data": data.append(text)
            case "event": name = text
            case "id": if !text.unicodeScalars.contains("\0") { id = text }
            default: break
            }
        }
        return events
    }
}
