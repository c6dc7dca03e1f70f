import Dispatch
import Gateway
import Upstreams

/// The result of reading the configuration file and the profiles again.
///
/// That takes seconds if profiles are many or names are slow to resolve, so it is not done on the thread that controls
/// the server.
struct Reload: Sendable {
    enum Outcome: Sendable {
        /// A new set. Its upstreams are not in use yet.
        case replaced
        /// The set has an error. The last good set stays in use.
        case refused(Failure)
        /// Only the profiles were read, and they have changed.
        case refreshed
        /// Nothing has changed.
        case unchanged
    }

    let outcome: Outcome
    /// The deployment to use from now on.
    private(set) var deployment: Deployment

    /// Reads the directory of profiles.
    init(refreshing deployment: Deployment, forced: Bool) {
        self.deployment = deployment
        outcome = self.deployment.refreshProfiles(forced: forced) ? .refreshed : .unchanged
    }

    /// Reads the file and the profiles as one set, if any of them has changed or if `forced`. Looks up the addresses of
    /// its servers.
    init(_ deployment: Deployment, from source: DeploymentSource, _ resolver: Resolver, forced: Bool) {
        guard forced || deployment.files?.haveChanged ?? true else {
            self.deployment = deployment
            outcome = .unchanged
            return
        }
        let files = source.files()
        do throws(Failure) {
            self.deployment = try source.load(after: deployment)
            resolver.resolve(
                self.deployment.gateway?.upstreams ?? [], for: .milliseconds(Resolver.maxStartMilliseconds))
            outcome = .replaced
        } catch {
            self.deployment = deployment
            self.deployment.noteFailedReload(error, files)
            outcome = .refused(error)
        }
    }
}
