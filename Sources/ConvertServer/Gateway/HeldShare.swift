/// One message's part of what the process holds back; given back when the share goes.
struct HeldShare: ~Copyable {
    private let directory: UpstreamDirectory
    /// What all messages together may hold back.
    private let maxBytes: Int
    private var bytes = 0

    init(_ directory: UpstreamDirectory, maxBytes: Int) {
        self.directory = directory
        self.maxBytes = maxBytes
    }

    deinit { directory.hold(-bytes) }

    /// States how much the message holds back now.
    mutating func set(_ count: Int) {
        guard count != bytes else { return }
        directory.hold(count - bytes)
        bytes = count
    }

    /// Whether all messages together hold back more than they may, and this is one of them.
    var isCrowded: Bool { bytes > 0 && directory.hold(0) > maxBytes }
}
