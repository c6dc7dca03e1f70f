import Testing

@testable import ConvertServer

struct ProgressTests {
    @Test func `the progress line shows how much was read, the total, and the speed`() {
        let rows: [(read: Int, total: Int?, seconds: Int, line: String)] = [
            (512_000_000, 2_048_000_000, 2, "512 MB of 2048 MB (25 %), 256 MB/s"),
            (512_000_000, nil, 4, "512 MB, 128 MB/s"),
            // If a file grows while it is read, the progress stays at 100 %.
            (3_000_000, 2_000_000, 1, "3 MB of 2 MB (100 %), 3 MB/s"),
            (0, 0, 0, "0 MB"),
        ]
        for row in rows {
            #expect(Progress.line(read: row.read, of: row.total, after: .seconds(row.seconds)) == row.line)
        }
    }
}
