import Conversions
import ConvertEngine
import ConvertProfiles
import HTTPSemantics
import HTTPWire

/// The recipes of queries, each compiled once in each loop. The number is limited, because anybody can send new
/// queries.
struct RecipeCache {
    private static let maxRecipes = 64
    /// A longer query is compiled each time.
    private static let maxQueryBytes = 256

    private struct Key: Hashable {
        let route: Route
        let query: [UInt8]
    }

    private let limits: Limits
    private var recipes: [Key: Recipe] = [:]
    /// The last one, which most requests use again. Comparing is cheaper than hashing.
    private var latest: (key: Key, recipe: Recipe)?

    init(limits: Limits) {
        self.limits = limits
    }

    /// The recipe for `/v1/minify` or `/v1/normalize` with the target's query.
    mutating func recipe(_ route: Route, _ target: RequestTarget) throws(Problem) -> Recipe {
        let query = target.query ?? []
        if let latest, latest.key.route == route, latest.key.query[...] == query { return latest.recipe }
        let key = Key(route: route, query: Array(query))
        if let recipe = recipes[key] {
            latest = (key, recipe)
            return recipe
        }
        let isKept = key.query.count <= Self.maxQueryBytes
        let recipe = route == .minify ? try minify(target, isKept) : try normalize(target, isKept)
        guard isKept else { return recipe }
        if recipes.count >= Self.maxRecipes { recipes.removeAll() }
        recipes[key] = recipe
        latest = (key, recipe)
        return recipe
    }

    private func minify(_ target: RequestTarget, _ isKept: Bool) throws(Problem) -> Recipe {
        let parameters = try QueryParameters(target, known: ["indent", "escapes"])
        let output = OutputOptions(
            indent: try parameters.integer("indent", in: 0...16) ?? 0,
            escapes: try parameters.choice("escapes", of: OutputOptions.Escapes.self) ?? .preserve)
        return .minify(output: output, limits: limits, comesAgain: isKept)
    }

    private func normalize(_ target: RequestTarget, _ isKept: Bool) throws(Problem) -> Recipe {
        let parameters = try QueryParameters(target, known: ["keys", "dates"])
        let keys = try parameters.choice("keys", of: KeyCase.self)
        let dates = parameters["dates"]
        guard keys != nil || dates != nil else {
            throw Problem.badParameter("keys", "at least one of keys and dates is needed")
        }
        do throws(ProfileError) {
            return try Recipe(try Profile(keys: keys, dates: dates), .forward, limits: limits, comesAgain: isKept)
        } catch {
            let fault = error.faults.first
            let name = fault?.pointer.hasPrefix("/dates") == true ? "dates" : "keys"
            throw Problem.badParameter(name, fault?.message ?? "the value cannot be used", hint: fault?.hint)
        }
    }
}
