import Testing

@testable import ConvertServer
@testable import Gateway
@testable import HTTPServer
@testable import Sockets

struct MemorySettingTests {
    private static let mebibyte = 1024 * 1024

    private static func configuration(_ flags: [String: [String]] = [:], mebibytes: Int?) throws -> ServerConfiguration
    {
        try ServerConfiguration(
            Settings(flags: flags, environment: ProcessEnvironment { _ in nil }),
            memoryBytes: mebibytes.map { $0 * mebibyte })
    }

    @Test func `the buffer limit follows the memory limit, unless an option sets it`() throws {
        // The program takes 24 MiB and each loop one. A quarter of the rest is used for buffers, and never more than without a limit.
        let rows: [(mebibytes: Int?, loops: Int, buffered: Int, ofOne: Int?)] = [
            (nil, 2, 256, nil), (1 << 20, 2, 256, ((1 << 20) - 26) / 4), (2048 + 26, 2, 256, 512), (226, 2, 50, 50),
            (64 + 25, 1, 16, 16), (24 + 300 + 400, 300, 100, 100),
            // At least 16 MiB are divided, whatever the limit is.
            (30, 2, 4, 4), (1, 2, 4, 4),
        ]
        for row in rows {
            let configuration = try Self.configuration(["loops": ["\(row.loops)"]], mebibytes: row.mebibytes)
            if let ofOne = row.ofOne {
                #expect(configuration.maxMessageBytes / Self.mebibyte == ofOne, "\(row)")
            } else {
                #expect(configuration.maxMessageBytes == .max)
            }
            #expect(configuration.gateway.maxBufferedBytes == row.buffered * Self.mebibyte, "\(row)")
        }
        let given = try Self.configuration(["max-buffered-bytes": ["1048576"], "loops": ["2"]], mebibytes: 226)
        #expect(given.gateway.maxBufferedBytes == Self.mebibyte)
        #expect(given.maxMessageBytes == 50 * Self.mebibyte)
        let bodies = try Self.configuration(["max-body-bytes": ["1073741824"], "loops": ["2"]], mebibytes: 226)
        #expect(bodies.gateway.maxBufferedBytes == 50 * Self.mebibyte)
    }

    @Test func `the limit of connections follows the memory limit, unless an option sets it`() throws {
        // Half of the remaining memory, at 128 KiB for each connection.
        for (mebibytes, connections) in [(nil, 10_000), (26 + 32, 128), (226, 800), (26 + 4096, 10_000)]
            as [(Int?, Int)]
        {
            let configuration = try Self.configuration(["loops": ["2"]], mebibytes: mebibytes)
            #expect(configuration.maxConnections == connections)
            #expect(configuration.maxConnectionsPerClient == connections / 4 * 3)
        }
        #expect(try Self.configuration(["max-connections": ["5000"]], mebibytes: 226).maxConnections == 5000)
    }
}
