import Glibc

/// The source of the `CONVERT_…` variables of a command: the process, or a table in tests.
package struct ProcessEnvironment {
    package let names: [String]
    private let value: @Sendable (String) -> String?

    package static let process = ProcessEnvironment(names: processNames) { name in
        guard let text = unsafe getenv(name) else { return nil }
        return unsafe String(cString: text)
    }

    package init(names: [String] = [], _ value: @escaping @Sendable (String) -> String?) {
        self.names = names
        self.value = value
    }

    private static var processNames: [String] {
        var names: [String] = []
        var entry = unsafe environ
        while let text = unsafe entry.pointee {
            names.append(String(unsafe String(cString: text).prefix { $0 != "=" }))
            unsafe entry += 1
        }
        return names
    }

    package subscript(name: String) -> String? { value(name) }
}
