import Glibc
import Sockets

/// `convert-server health`: the liveness probe for images without a shell or curl.
struct HealthCommand {
    private let address: ListenAddress
    private let question: HealthProbe.Question
    /// The end of a message about an unhealthy server.
    private let note: String

    /// Chooses the address: that of a flag, else the first one with `/healthz`.
    ///
    /// That is an `admin` address if there is one. With routes and without `admin`, it sends `OPTIONS *` to the first
    /// public listener. A running server keeps its last good configuration, so it can be healthy although the file has
    /// errors. Then the rest of the file counts.
    init(_ settings: Settings) throws(Failure) {
        let settings = try settings.readingFile()
        let hasFaults = settings.file.map { !$0.faults.isEmpty } ?? false
        let mayHaveRoutes = hasFaults || settings.file.map { !$0.routes.isEmpty } ?? false
        note = hasFaults ? "; the configuration file has errors" : ""
        let isGiven = settings[.listen]?.exitCode == .usage
        if !isGiven, let admin = try settings.addresses(of: .admin)?.first {
            address = admin
            question = .health
            return
        }
        guard let first = try settings.addresses().first else { throw Failure(.internalError, "no address to probe") }
        address = first
        question = mayHaveRoutes && !isGiven ? .server : .health
    }

    /// Probes the address. Throws the reason if the server is not healthy.
    func run() throws(Failure) -> ExitCode {
        do throws(SystemCallError) {
            guard try !HealthProbe(address, question).isHealthy() else { return .success }
        } catch {
            let isLate = [EAGAIN, EINPROGRESS, ETIMEDOUT].contains(error.number)
            let reason = isLate ? "nothing came within \(HealthProbe.maxSeconds) s" : error.reason
            let action = error.call == "connect" ? "connect to" : "get a response from"
            throw Failure(.negative, "cannot \(action) \(address): \(reason)\(note)")
        }
        throw Failure(.negative, "\(address) did not respond with \(question.status)\(note)")
    }
}
