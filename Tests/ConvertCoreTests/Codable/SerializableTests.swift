import ConvertEngine
import FoundationEssentials
import TestSupport
import Testing

@testable import ConvertCodable
@testable import ConvertProfiles

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
        let data = try Self.note.serialized()
        #expect(String(decoding: data, as: UTF8.self) == #"{"changed":"1970-01-01T00:00:00.5Z","text":"a/b"}"#)
        #expect(try Note(from: data) == Self.note)
        let other = Data(#"{"text":"a/b","changed":"1970-01-01T01:00:00,500+01:00"}"#.utf8)
        #expect(try Note(from: other) == Self.note)
        #expect(throws: SerializableError.self) { try Note(from: Data(#"{"text":"a","changed":"1970-02-30"}"#.utf8)) }
    }

    @Test func `a profile's rules also apply in arrays and dictionaries of the type`() throws {
        let login = Login(user: "ada", secret: "pw")
        #expect(try String(decoding: login.serialized(), as: UTF8.self) == #"{"u":"ada"}"#)
        #expect(try String(decoding: [login].serialized(), as: UTF8.self) == #"[{"u":"ada"}]"#)
        #expect(try String(decoding: ["k": [login]].serialized(), as: UTF8.self) == #"{"k":[{"u":"ada"}]}"#)
        let read = try [String: [Login]](from: Data(#"{"k":[{"u":"bo"}]}"#.utf8))
        #expect(read == ["k": [Login(user: "bo", secret: nil)]])
        let error = #expect(throws: SerializableError.self) { try Login(from: Data(#"{"u":1}"#.utf8)) }
        let message = #"expected String, found a number, which is "/u" in the payload"#
        #expect(error?.description == "decode: \(message) at /user")
    }

    private struct Login: Serializable, Hashable {
        static let serialization = Result { () throws(ProfileError) in
            try SerializationOptions(profile: Profile(.rename(["/user": "u"]), .drop("/secret")), readingBy: .inverse)
        }.unchecked

        var user: String
        var secret: String?
    }

    @Test func `arrays and dictionaries are serializable`() throws {
        let notes = [Self.note, Self.note]
        #expect(try [Note](from: try notes.serialized()) == notes)
        #expect(try Set<Note>(from: try Set(notes).serialized()) == Set(notes))
        let named = ["b": [Self.note], "a": []]
        #expect(try [String: [Note]](from: try named.serialized()) == named)
        #expect(String(decoding: try named.serialized().prefix(7), as: UTF8.self) == #"{"a":[]"#)
    }

    @Test func `files are replaced at once, and keep their permissions`() throws {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path + "/note ü.json")
        try Self.note.save(to: file)
        #expect(try Note(contentsOf: file) == Self.note)
        try FileManager.default.setAttributes(
            [.posixPermissions: 0o600], ofItemAtPath: file.path(percentEncoded: false))
        try [Self.note].save(to: file)
        #expect(try [Note](contentsOf: file) == [Self.note])
        let mode = try ChildProcess(command: "stat", ["-c", "%a", file.path(percentEncoded: false)]).run()
        #expect(mode.text == "600\n")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["note ü.json"])
    }

    @Test func `a file name can be as long as the file system allows, in bytes`() throws {
        let directory = try TemporaryDirectory()
        // 250 bytes that are ten characters.
        let name = String(repeating: "👨‍👩‍👧‍👦", count: 10)
        #expect(name.utf8.count == 250)
        let file = URL(filePath: directory.path).appending(path: name)
        try Self.note.save(to: file)
        #expect(try Note(contentsOf: file) == Self.note)
    }

    @Test(.enabled(if: geteuid() != 0, "the superuser reads every directory"))
    func `files can be saved to a directory that can be written but not read`() throws {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/inbox"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
        try FileManager.default.setAttributes([.posixPermissions: 0o300], ofItemAtPath: path)
        let file = URL(filePath: path + "/note.json")
        try Self.note.save(to: file)
        #expect(try Note(contentsOf: file) == Self.note)
        try FileManager.default.setAttributes([.posixPermissions: 0o700], ofItemAtPath: path)
    }

    @Test func `a failed write keeps the old file and leaves no other file`() throws {
        let directory = try TemporaryDirectory()
        let occupied = URL(filePath: directory.path + "/d")
        try FileManager.default.createDirectory(atPath: directory.path + "/d/e", withIntermediateDirectories: true)
        // A directory that is not empty cannot be replaced by a file, not even by the superuser.
        let error = #expect(throws: SerializableError.self) { try Self.note.save(to: occupied) }
        #expect(error?.code == .write)
        #expect(error?.message.hasPrefix("rename failed: ") == true)
        let absent = #expect(throws: SerializableError.self) {
            try Self.note.save(to: URL(filePath: directory.path + "/none/x"))
        }
        #expect(absent?.message == "open failed: No such file or directory")
        #expect(try FileManager.default.contentsOfDirectory(atPath: directory.path) == ["d"])
        let remote = try #require(URL(string: "https://a.example/x"))
        #expect(throws: SerializableError.self) { try Self.note.save(to: remote) }
    }

    @Test func `errors have a reason and a path, and no content of the file`() throws {
        let rows: [(json: String, pointer: String, message: String)] = [
            (#"{"text":"secret"}"#, "/changed", "expected a key, found nothing"),
            (#"{"text":1,"changed":""}"#, "/text", "expected String, found a number"),
            (#"{"text":null,"changed":""}"#, "/text", "expected String, found null"),
            (#"{"text":"","changed":"secret"}"#, "/changed", "expected a date as ISO 8601, found another string"),
        ]
        for row in rows {
            let error = #expect(throws: SerializableError.self) { try [Note](from: Data("[\(row.json)]".utf8)) }
            #expect(error?.code == .decode)
            #expect(error?.pointer == (row.pointer.isEmpty ? "" : "/0" + row.pointer), "\(row.json)")
            #expect(error?.message == row.message)
            #expect(error?.description.contains("secret") == false)
        }
        let endless = Note(text: "", changed: Date(timeIntervalSince1970: 0), score: .infinity)
        let error = #expect(throws: SerializableError.self) { try ["k": endless].serialized() }
        #expect(error?.code == .encode)
        #expect(error?.pointer == "/k/score")
        #expect(try Note(contentsOf: URL(filePath: "/nowhere/at/all")) == nil)
        let malformed = #expect(throws: SerializableError.self) { try Note(from: Data("{\n  secret".utf8)) }
        #expect(malformed?.line == 2)
        #expect(malformed?.column == 3)
        #expect(malformed?.description.contains("2:3: ") == true)
        #expect(malformed?.description.contains("secret") == false)
    }

    @Test func `only a missing file is nil, so a save never replaces an unreadable file`()
        throws
    {
        let directory = try TemporaryDirectory()
        let file = URL(filePath: directory.path + "/note.json")
        #expect(try Note(contentsOf: file) == nil)
        // A text that is cut off, one of a later version, an empty file, and a document of another type.
        for content in [
            #"{"text":"a""#, #"{"text":"a","changed":"1970-01-01T00:00:00Z","score":"high"}"#, "", #"{"title":"a"}"#,
        ] {
            try Data(content.utf8).write(to: file)
            let error = #expect(throws: SerializableError.self) { try Note(contentsOf: file) ?? Self.note }
            #expect(error?.code == .decode)
            #expect(try Data(contentsOf: file) == Data(content.utf8))
        }
        let error = #expect(throws: SerializableError.self) { try Note(contentsOf: URL(filePath: directory.path)) }
        #expect(error?.description == "read: read failed: Is a directory")
    }

    private struct Settings: Serializable, Hashable {
        static let serialization = Result { () throws(ProfileError) in
            var options = try SerializationOptions(
                profile: Profile(.keys(.camelCase, from: .snakeCase), .output(indent: 2)))
            options.dateDecodingStrategy = .secondsSince1970
            options.dateEncodingStrategy = .secondsSince1970
            return options
        }.unchecked

        var lastOpened: Date
        var recentFiles: [String]
    }

    @Test func `a type chooses its white space, profile and date format, also for lists of it`() throws {
        let settings = Settings(lastOpened: Date(timeIntervalSince1970: 60), recentFiles: ["a"])
        let text = "{\n  \"last_opened\": 60,\n  \"recent_files\": [\n    \"a\"\n  ]\n}"
        #expect(String(decoding: try settings.serialized(), as: UTF8.self) == text)
        #expect(try Settings(from: Data(text.utf8)) == settings)
        #expect(try [Settings](from: try [settings].serialized()) == [settings])
    }

    /// Settings whose profile cannot restore the acronym.
    private struct Numbered: Serializable, Equatable {
        var userID: Int?
        var counts: [String: Int] = [:]
        static let serialization = Result {
            try SerializationOptions(profile: Profile(.keys(.camelCase, from: .snakeCase), .drop("/secret")))
        }.unchecked
    }

    @Test func `a value that its file would lose or refuse is not written`() throws {
        let good = Numbered(counts: ["en_US": 1])
        #expect(try Numbered(from: good.serialized()) == good)
        let lossy = #expect(throws: SerializableError.self) { try Numbered(userID: 7).serialized() }
        #expect(lossy?.code == .encode)
        let colliding = #expect(throws: SerializableError.self) {
            try Numbered(counts: ["en_US": 1, "enUS": 2]).serialized()
        }
        #expect(colliding?.code == .decode)
        #expect(colliding?.pointer.hasPrefix("/counts/en") == true)
    }
}

extension Result {
    /// The value of options that the test itself makes, which have no error.
    fileprivate var unchecked: Success {
        guard case .success(let value) = self else { preconditionFailure("the options have an error") }
        return value
    }
}
