import APIDescriptions
package import ConvertProfiles
package import HTTPSemantics
import Sockets

/// Which file describes the API of a route's upstream, and at which path clients get the description for them.
package struct DescriptionRule: Sendable, Hashable {
    package var path: RoutePrefix
    package var file: String
    /// The position of the file's name in the configuration.
    package var location: DocumentLocation

    package init(path: RoutePrefix, file: String, location: DocumentLocation) {
        self.path = path
        self.file = file
        self.location = location
    }
}

/// The description of an API as the clients of a route see it, rewritten when the configuration is loaded.
package struct RouteDescription: Sendable {
    private let path: RoutePrefix
    package let text: [UInt8]
    package let tag: EntityTag
    /// What the description cannot say, in words for the log.
    package let warnings: [String]

    /// Throws the reason if the file cannot be read or rewritten.
    init(_ rule: DescriptionRule, of route: DescribedRoute) throws(ProfileFault) {
        let original: [UInt8]
        do throws(SystemCallError) {
            // Reading a pipe could block this reload and all later ones.
            original = try InputFile(path: rule.file, isRegular: true).readAll(maxBytes: APIDescription.maxBytes)
        } catch {
            throw ProfileFault(at: rule.location, "the description `\(rule.file)` cannot be read: \(error)")
        }
        let plans: DescriptionPlans
        do throws(ProfileError) {
            plans = try route.plans()
        } catch {
            throw ProfileFault(
                at: rule.location, "the route's profile has no plan for a description",
                hint: error.faults.first.map(\.description))
        }
        do throws(DescriptionError) {
            let rewritten = try APIDescription(original).rewritten(by: plans)
            text = rewritten.text
            warnings = rewritten.warnings.map(\.description)
        } catch {
            throw ProfileFault(at: rule.location, "the description `\(rule.file)`: \(error)")
        }
        path = rule.path
        tag = EntityTag(isWeak: true, opaque: String(PlanFingerprint.hash(text), radix: 16).utf8)
    }

    /// Whether a request's path is the description's.
    package func isAt(_ path: RequestPath) -> Bool {
        self.path.covers(path) && path.bytes.count == self.path.bytes.count
    }
}
