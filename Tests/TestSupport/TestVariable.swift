@testable import Sockets

/// The environment variables that change what the tests do.
package enum TestVariable {
    /// A whole number, or `standard` if the variable is missing.
    package static func number<Number: FixedWidthInteger>(_ name: String, _ standard: Number) -> Number {
        ProcessEnvironment.process[name].flatMap { Number($0) } ?? standard
    }

    package static func text(_ name: String, _ standard: String) -> String {
        ProcessEnvironment.process[name] ?? standard
    }
}
