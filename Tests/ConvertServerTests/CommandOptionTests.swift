import Testing

@testable import ConvertServer
@testable import HTTPServer
@testable import Sockets

struct CommandOptionTests {
    @Test func `an option has one name on the command line, in variables and files`() {
        let option = CommandOption("max-body-bytes", .one("N"), "")
        #expect(option.usage == "--max-body-bytes N")
        #expect(option.variable == "CONVERT_MAX_BODY_BYTES")
        #expect(option.member == "maxBodyBytes")
        #expect(CommandOption("listen", .many("ADDR"), "").usage == "--listen ADDR...")
    }

    @Test func `no two options of a command have one name, and none is called help`() {
        for command in Command.allCases {
            let names = command.options.map(\.name)
            #expect(Set(names).count == names.count)
            #expect(!names.contains("help"))
        }
    }

    @Test func `of an option that is given twice, the last value applies, or all if it takes several`() throws {
        for command in Command.allCases {
            for option in command.options where option.value != .none {
                let word = "--\(option.name)"
                let values = try Arguments([word, "a", "\(word)=b"], of: command).values[option.name]
                let takesSeveral = if case .many = option.value { true } else { false }
                #expect(values == (takesSeveral ? ["a", "b"] : ["b"]), "\(command) \(word)")
            }
        }
    }

    @Test func `no option has a variable that orchestrators set for a service called convert`() {
        for option in Command.allCases.flatMap(\.options) {
            #expect(!option.variable.hasPrefix("CONVERT_PORT"))
            #expect(!option.variable.hasPrefix("CONVERT_SERVICE_"))
        }
    }

    @Test func `flags beat the environment, which beats the file, which beats the default`() throws {
        let empty = ProcessEnvironment { _ in nil }
        let environment = ProcessEnvironment { ["CONVERT_MAX_DEPTH": "2", "CONVERT_LOOPS": ""][$0] }
        func depth(_ flags: [String: [String]], _ environment: ProcessEnvironment, file: String?) throws -> Int {
            var settings = Settings(flags: flags, environment: environment)
            if let file {
                settings.file = ConfigurationFile(path: "f", document: Array("{ \"maxDepth\": \(file) }".utf8))
            }
            return try ServerConfiguration(settings).maxDepth
        }
        #expect(try depth(["max-depth": ["1"]], environment, file: "3") == 1)
        #expect(try depth([:], environment, file: "3") == 2)
        #expect(try depth([:], empty, file: "3") == 3)
        #expect(try depth([:], empty, file: nil) == 512)
        let settings = Settings(flags: [:], environment: environment)
        #expect(try ServerConfiguration(settings).loops == ServerConfiguration().loops)
    }

    @Test func `the access log is written unless an option turns it off`() throws {
        let empty = ProcessEnvironment { _ in nil }
        for (text, isWritten) in [(nil, true), ("on", true), ("off", false), ("false", false)] {
            let flags = text.map { ["access-log": [$0]] } ?? [:]
            let settings = Settings(flags: flags, environment: empty)
            #expect(try ServerConfiguration(settings).writesAccessLog == isWritten, "\(text ?? "absent")")
        }
        let variable = ProcessEnvironment { ["CONVERT_ACCESS_LOG": "off"][$0] }
        #expect(try !ServerConfiguration(Settings(flags: [:], environment: variable)).writesAccessLog)
        #expect(throws: Failure.self) {
            try ServerConfiguration(Settings(flags: ["access-log": ["perhaps"]], environment: empty))
        }
    }

    @Test func `the server's default limits are those of the documents`() {
        let settings = ServerConfiguration()
        #expect(settings.maxHeadBytes == 32 * 1024)
        #expect(settings.maxFields == 100)
        #expect(settings.maxRequestLineBytes == 8 * 1024)
        #expect(settings.maxBodyBytes == 64 * 1024 * 1024)
        #expect(settings.maxDepth == 512)
        #expect(settings.maxKeyBytes == 64 * 1024)
        #expect(settings.maxProfileBytes == 1024 * 1024)
        #expect(settings.maxConnections == 10_000)
        #expect(settings.commitBytes == 1024 * 1024)
        let times = settings.times
        #expect([times.headSeconds, times.bodySeconds, times.keepAliveSeconds] == [10, 30, 75])
        #expect([times.writeSeconds, settings.drainDelaySeconds, settings.drainSeconds] == [30, 0, 30])
    }
}
