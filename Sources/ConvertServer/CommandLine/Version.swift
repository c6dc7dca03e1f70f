/// The version of the program, as `CHANGELOG.md` and `openapi.yaml` name it.
enum Version {
    static let current = "0.1.0"
}
