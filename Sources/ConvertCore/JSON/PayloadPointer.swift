/// RFC 6901 JSON Pointers into payloads.
enum PayloadPointer {
    /// One reference token with its slash, for a member's unescaped name or an element's index.
    static func step(_ name: [UInt8]) -> String {
        var step = "/"
        for scalar in String(decoding: name, as: Unicode.UTF8.self).unicodeScalars {
            switch scalar {
            case "~": step += "~0"
            case "/": step += "~1"
            default: step.unicodeScalars.append(scalar)
            }
        }
        return step
    }
}
