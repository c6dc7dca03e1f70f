import CLinux

/// The commit that the program was built from.
enum BuildCommit {
    /// Its hash, or `unknown` in a build that is no release.
    static var text: String { unsafe String(cString: convert_build_commit()) }
}
