import ConvertEngine
import Glibc
import TestSupport
import Testing

@testable import Conversions
@testable import ConvertServer
@testable import HTTPSemantics
@testable import Observability
@testable import Service
@testable import Sockets
@testable import Text

struct ProfileStoreTests {
    private static func store(_ directory: TemporaryDirectory, maxProfileBytes: Int = 1000) -> ProfileStore {
        ProfileStore(
            directory: directory.path, limits: Limits(), maxProfileBytes: maxProfileBytes,
            reservedNames: Route.reservedProfileNames,
            registry: MetricsRegistry(startedWall: 0, startedMonotonic: 0, version: "0"))
    }

    private static func isRefreshed(_ store: inout ProfileStore, forced: Bool = false) -> Bool {
        store.refresh(forced: forced)
    }

    @Test func `profiles have the names of their files, and those with errors are reported`() throws {
        let directory = try TemporaryDirectory()
        for (name, text) in [
            ("a.json", "{\"name\":\"other\",\"description\":\"d\"}"), ("b.json", "{\"renme\":1}"), ("c.txt", "{}"),
            (".d.json", "{}"), ("check.json", "{}"), ("long.json", "{" + String(repeating: " ", count: 1000) + "}"),
        ] { _ = try directory.write(name, text) }
        var store = Self.store(directory)
        #expect(Self.isRefreshed(&store))
        #expect(store.set.entries.map(\.name) == ["a", "b", "check", "long"])
        #expect(store.set["a"]?.summary == "d")
        #expect(store.set.entries.filter { $0.loaded != nil }.map(\.name) == ["a"])
        #expect(store.set.errors.count == 3)
        #expect(store.set.errors.first?.hasPrefix("b.json: 1:2: ") == true)
        #expect(!store.set.isUnusable)
        #expect(!Self.isRefreshed(&store))
    }

    @Test func `names that only look equal belong to two profiles`() throws {
        let directory = try TemporaryDirectory()
        // `é` as one scalar and as two; K and the Kelvin sign.
        let names = ["caf\u{E9}", "cafe\u{301}", "K", "\u{212A}"]
        for (index, name) in names.enumerated() {
            _ = try directory.write("\(name).json", "{\"description\":\"\(index)\"}")
        }
        var store = Self.store(directory)
        #expect(Self.isRefreshed(&store))
        #expect(store.set.usableCount == 4)
        for (index, name) in names.enumerated() { #expect(store.set[name]?.summary == "\(index)") }
        // A change of one does not affect the other.
        _ = try directory.write("caf\u{E9}.json", "{\"description\":\"changed\"}")
        #expect(Self.isRefreshed(&store))
        #expect(names.map { store.set[$0]?.summary } == ["changed", "1", "2", "3"])
    }

    @Test func `files whose names are not text are skipped`() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("\u{FFFD}.json", "{\"description\":\"d\"}")
        for byte in [UInt8.max, UInt8.max - 1] {
            let path = Array(directory.path.utf8) + [ASCII.slash, byte] + Array(".json".utf8) + [0]
            let file = unsafe fopen(path.map { CChar(bitPattern: $0) }, "we")
            try #require(unsafe file != nil)
            unsafe fclose(file)
        }
        var store = Self.store(directory)
        #expect(Self.isRefreshed(&store))
        #expect(store.set.entries.map(\.name) == ["\u{FFFD}"])
        #expect(store.set["\u{FFFD}"]?.summary == "d")
    }

    @Test func `a directory or a broken link with a profile's name is an error`() throws {
        let directory = try TemporaryDirectory()
        _ = try directory.write("a.json", "{}")
        #expect(unsafe mkdir("\(directory.path)/b.json", 0o700) == 0)
        #expect(unsafe symlink("none", "\(directory.path)/c.json") == 0)
        var store = Self.store(directory)
        #expect(Self.isRefreshed(&store))
        #expect(store.set.entries.map(\.name) == ["a", "b", "c"])
        #expect(
            store.set.errors == ["b.json: this is not a regular file", "c.json: No such file or directory"])
        let problem = #expect(throws: Problem.self) { try store.set.loaded("c") }
        #expect(problem?.status == 503 && problem?.detail.contains("c.json: the file cannot be read") == true)
        let configuration = try directory.write("server.conf", #"{"profiles": "."}"#)
        let check = try BuiltProgram.run("check", "--config", configuration)
        #expect(check.status == 78)
        for error in store.set.errors { #expect(check.text.contains("/\(error)\n"), "\(check.text)") }
        #expect(try BuiltProgram.run("check", directory.path).status == 66)
        // The target of the link exists now.
        _ = try directory.write("none", "{}")
        #expect(Self.isRefreshed(&store))
        #expect(store.set["c"] != nil)
    }

    @Test func `a changed file is loaded, and with an error the last good version stays`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("a.json", "{\"description\":\"first\"}")
        var store = Self.store(directory)
        #expect(Self.isRefreshed(&store))
        _ = try directory.write("a.json", "{\"description\":\"second one\"}")
        #expect(Self.isRefreshed(&store))
        #expect(store.set["a"]?.summary == "second one")

        _ = try directory.write("a.json", "{\"description\":")
        #expect(Self.isRefreshed(&store))
        #expect(store.set["a"]?.summary == "second one")
        #expect(store.set.errors.count == 1)
        #expect(!Self.isRefreshed(&store))

        _ = try directory.write("a.json", "{}")
        #expect(Self.isRefreshed(&store))
        #expect(store.set.errors.isEmpty)
        #expect(store.set["a"]?.summary == nil)

        #expect(unsafe unlink(file) == 0)
        #expect(Self.isRefreshed(&store))
        #expect(store.set.entries.isEmpty)
    }

    @Test func `when reading is forced, hash gets the key that its file has now`() throws {
        let directory = try TemporaryDirectory()
        let key = try directory.write("key", "")
        _ = try directory.write("a.json", #"{"values":{"at":"/n","as":"hash","key":{"file":"\#(key)"}}}"#)
        var store = Self.store(directory)
        // base64.urlsafe_b64encode(hmac.digest(key, b"Ada", "sha256")) of Python, without padding.
        let rows = [
            ("first key", "jWKV-qEYzvE-nz-DmlKyj3VQJn4T9n1ShoA-_L38Tpg"),
            ("second key", "vIPkXrTFAd2-dCpK9tuDIsOIvnNTFvTbaP-Ek3IWfNs"),
        ]
        for (text, code) in rows {
            _ = try directory.write("key", text)
            #expect(Self.isRefreshed(&store, forced: true))
            #expect(try store.set["a"]?.forward.plan.convert(#"{"n":"Ada"}"#) == #"{"n":"\#(code)"}"#)
        }
        #expect(unsafe unlink(key) == 0)
        #expect(Self.isRefreshed(&store, forced: true))
        #expect(store.set.errors.count == 1)
        #expect(store.set["a"] != nil)
    }

    @Test func `the profiles of a directory that was removed stay in use`() throws {
        let directory = try TemporaryDirectory()
        let file = try directory.write("a.json", "{}")
        var missing = ProfileStore(
            directory: "\(directory.path)/none", limits: Limits(), maxProfileBytes: 1000, reservedNames: [],
            registry: MetricsRegistry(startedWall: 0, startedMonotonic: 0, version: "0"))
        #expect(Self.isRefreshed(&missing))
        #expect(missing.set.isUnusable)
        #expect(!Self.isRefreshed(&missing))

        var store = Self.store(directory)
        #expect(Self.isRefreshed(&store))
        #expect(unsafe unlink(file) == 0)
        #expect(unsafe rmdir(directory.path) == 0)
        #expect(Self.isRefreshed(&store))
        #expect(store.set["a"] != nil)
        #expect(store.set.directoryError?.contains("No such file") == true)
        #expect(unsafe mkdir(directory.path, 0o700) == 0)
        _ = try directory.write("a.json", "{\"description\":\"new\"}")
        #expect(Self.isRefreshed(&store))
        #expect(store.set["a"]?.summary == "new")
        #expect(store.set.directoryError == nil)
    }
}
