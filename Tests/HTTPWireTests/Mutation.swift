/// Small damage to the bytes of a fixture.
enum Mutation {
    /// Bytes that matter to framing; they find more errors than random bytes.
    private static let splices = [
        "\r\n", "\r", "\n", "\0", " ", "\t", ":", ",", ";", "\"", "\\", "0", "1", "F", "chunked", "\r\n\r\n",
        "HTTP/1.0", "HTTP/1.1 200 \r\n",
        "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n", "Connection: close\r\n", "Host: a\r\n", "0\r\n\r\n",
    ].map { Array($0.utf8) }

    /// Changes, removes, repeats or inserts a few bytes.
    static func apply(_ bytes: inout [UInt8], _ generator: inout SeededGenerator) {
        let index = Int.random(in: 0...bytes.count, using: &generator)
        let end = min(bytes.count, index + Int.random(in: 0...6, using: &generator))
        switch Int.random(in: 0..<5, using: &generator) {
        case 0 where index < bytes.count: bytes[index] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
        case 1 where index < bytes.count: bytes[index] = UInt8.random(in: 0...255, using: &generator)
        case 2: bytes.removeSubrange(index..<end)
        case 3: bytes.insert(contentsOf: bytes[index..<end], at: index)
        default: bytes.insert(contentsOf: splices.randomElement(using: &generator) ?? [], at: index)
        }
    }
}
