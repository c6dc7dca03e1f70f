import Glibc

/// Where a command reads its `CONVERT_…` variables: the process, or a table in tests.
struct ProcessEnvironment {
    private let value: @Sendable (String) -> String?

    /// The variables of this process.
    static let process = ProcessEnvironment { name in
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    init(_ value: @escaping @Sendable (String) -> String?) {
        self.value = value
    }

    subscript(name: String) -> String? { value(name) }
}
