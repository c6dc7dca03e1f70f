/// Bytes that matter to framing; as damage to a message they find more errors than random bytes.
enum FramingPieces {
    static let all = [
        "\r\n", "\r", "\n", "\0", " ", "\t", ":", ",", ";", "\"", "\\", "0", "1", "F", "chunked", "\r\n\r\n",
        "HTTP/1.0", "HTTP/1.1 200 \r\n",
        "Content-Length: 1\r\n", "Transfer-Encoding: chunked\r\n", "Connection: close\r\n", "Host: a\r\n", "0\r\n\r\n",
    ].map { Array($0.utf8) }
}
