import Gateway

extension DescribedRoute {
    /// Finds a route in the configuration of `--config`.
    init(named name: String, _ settings: Settings) throws(Failure) {
        let deployment = try DeploymentSource(settings).load()
        let routes = deployment.gateway?.routes ?? []
        guard let route = routes.first(where: { $0.configuration.name == name }) else {
            let names = routes.map { "`\($0.configuration.name)`" }.joined(separator: ", ")
            throw Failure(
                .badConfiguration,
                "no route is named `\(name)`; \(names.isEmpty ? "there are no routes" : "the names are \(names)")")
        }
        self.init(route, deployment.profiles)
    }
}
