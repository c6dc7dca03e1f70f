import CLinux

/// The commit that the program was built from.
package enum BuildCommit {
    /// Its hash, or `unknown` in a debug build. `tools/stamp-commit` writes it.
    package static var text: String { unsafe String(cString: convert_build_commit()) }
}
