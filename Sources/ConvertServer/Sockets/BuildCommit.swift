import CLinux

/// The commit that the program was built from.
enum BuildCommit {
    /// Its hash, or `unknown` in a build that is not a release.
    static var text: String { unsafe String(cString: convert_build_commit()) }
}
