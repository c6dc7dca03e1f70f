import FoundationEssentials
import Testing

@testable import ConvertCore

#if canImport(Musl)
    import Musl
#else
    import Glibc
#endif

struct SerializableTests {
    private struct Note: Serializable, Hashable {
        var text: String
        var changed: Date
        var score: Double?
    }

    private static let note = Note(text: "a/b", changed: Date(timeIntervalSince1970: 0.5), score: nil)

    @Test func `a value is saved as JSON and read back, its dates as ISO 8601`() throws {
        let data = try #require(Self.note.save())
        #expect(String(decoding: data, as: UTF8.self) == #"{"changed":"1970-01-01T00:00:00.5Z","text":"a/b"}"#)
        #expect(Note(from: data) == Self.note)
        let other = Data(#"{"text":"a/b","changed":"1970-01-01T01:00:00,500+01:00"}"#.utf8)
        #expect(try Note(decoding: other) == Self.note)
        #expect(Note(from: Data(#"{"text":"a","changed":"1970-02-30"}"#.utf8)) == nil)
    }

    @Test func `arrays and dictionaries are serializable`() throws {
        let notes = [Self.note, Self.note]
        #expect([Note](from: try notes.encoded()) == notes)
        let named = ["b": [Self.note], "a": []]
        #expect([String: [Note]](from: try named.encoded()) == named)
        #expect(String(decoding: try named.encoded().prefix(7), as: UTF8.self) == #"{"a":[]"#)
    }

    @Test func `files are replaced whole, and their permissions stay`() throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path + "/note ü.json")
        #expect(Self.note.save(to: file))
        #expect(Note(contentsOf: file) == Self.note)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file.path(percentEncoded: false))
        try [Self.note].write(to: file)
        #expect(try [Note](reading: file) == [Self.note])
        let mode = try PythonReference.run(
            program: "stat", ["-c", "%a", file.path(percentEncoded: false)], input: [])
        #expect(String(decoding: mode.output, as: UTF8.self) == "600\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["note ü.json"])
    }

    @Test func `a name may be as long as the file system takes, in bytes`() throws {
        let directory = try TemporaryDirectory()
        // 250 bytes that are ten characters.
        let name = String(repeating: "👨‍👩‍👧‍👦", count: 10)
        #expect(name.utf8.count == 250)
        let file = URL(filePath: directory.path).appending(path: name)
        try Self.note.write(to: file)
        #expect(try Note(reading: file) == Self.note)
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser reads every directory"))
    func `a directory that may be written and not read takes files`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/inbox"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o300], ofItemAtPath: path)
        let file = URL(filePath: path + "/note.json")
        try Self.note.write(to: file)
        #expect(Note(contentsOf: file) == Self.note)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    @Test func `a write that fails leaves the old file and nothing beside it`() throws {
        let directory = try TemporaryDirectory()
        let occupied = URL(filePath: directory.path + "/d")
        try FileManager.default.createDirectory(atPath: directory.path + "/d/e", withIntermediateDirectories: true)
        // A directory that is not empty cannot be replaced by a file, not even by the superuser.
        let error = #expect(throws: SerializableError.self) { try Self.note.write(to: occupied) }
        #expect(error?.code == .write)
        #expect(error?.message.hasPrefix("rename failed with errno ") == true)
        let absent = #expect(throws: SerializableError.self) {
            try Self.note.write(to: URL(filePath: directory.path + "/none/x"))
        }
        #expect(absent?.message == "open failed with errno 2 (No such file or directory)")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["d"])
        #expect(!Self.note.save(to: URL(filePath: directory.path + "/none/x")))
        let remote = try #require(URL(string: "https://a.example/x"))
        #expect(throws: SerializableError.self) { try Self.note.write(to: remote) }
    }

    @Test func `errors say why and where, and repeat nothing of the file`() throws {
        let rows: [(json: String, pointer: String, message: String)] = [
            (#"{"text":"secret"}"#, "/changed", "expected a member, found nothing"),
            (#"{"text":1,"changed":""}"#, "/text", "expected String, found another type of value"),
            (#"{"text":null,"changed":""}"#, "/text", "expected String, found null"),
            (#"{"text":"","changed":"secret"}"#, "/changed", "expected another value"),
            ("{secret", "", "expected JSON"),
        ]
        for row in rows {
            let error = #expect(throws: SerializableError.self) { try [Note](decoding: Data("[\(row.json)]".utf8)) }
            #expect(error?.code == .decode)
            #expect(error?.pointer == (row.pointer.isEmpty ? "" : "/0" + row.pointer), "\(row.json)")
            #expect(error?.message == row.message)
            #expect(error?.description.contains("secret") == false)
        }
        let endless = Note(text: "", changed: Date(timeIntervalSince1970: 0), score: .infinity)
        let error = #expect(throws: SerializableError.self) { try ["k": endless].encoded() }
        #expect(error?.code == .encode)
        #expect(error?.pointer == "/k/score")
        #expect(Note(contentsOf: URL(filePath: "/nowhere/at/all")) == nil)
        #expect(throws: SerializableError.self) { try Note(reading: URL(filePath: "/nowhere/at/all")) }
    }
}
