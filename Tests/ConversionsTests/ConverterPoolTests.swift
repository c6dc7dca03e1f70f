import ConvertEngine
import ConvertProfiles
import Testing

@testable import Conversions
@testable import Sockets

struct ConverterPoolTests {
    private let recipe = Self.recipe()

    private static func recipe(comesAgain: Bool = true) -> Recipe {
        .minify(output: OutputOptions(), limits: Limits(), comesAgain: comesAgain)
    }

    @Test func `the converters of 64 connections are reused`() {
        let pool = ConverterPool()
        let first = (0..<64).map { _ in pool.take(recipe, .document) }
        #expect(Set(first.map(ObjectIdentifier.init)).count == 64, "a unit serves one payload at a time")
        first.forEach(pool.giveBack)
        let second = (0..<64).map { _ in pool.take(recipe, .document) }
        #expect(Set(second.map(ObjectIdentifier.init)) == Set(first.map(ObjectIdentifier.init)))
    }

    @Test func `the number of idle converters is limited, and a new recipe still gets one`() {
        let pool = ConverterPool()
        let many = (0..<1000).map { _ in pool.take(recipe, .document) }
        many.forEach(pool.giveBack)
        let again = (0..<1000).map { _ in pool.take(recipe, .document) }
        // All returned units still exist, so no new unit can have the address of one of them.
        let known = Set(many.map(ObjectIdentifier.init))
        #expect(again.count { known.contains(ObjectIdentifier($0)) } == 128)
        again.forEach(pool.giveBack)
        let other = Recipe.minify(output: OutputOptions(), limits: Limits())
        let unit = pool.take(other, .document)
        pool.giveBack(unit)
        // One unit of the other recipe was removed, and no more.
        #expect(pool.count == ConverterPool.maxUnits)
        #expect(pool.take(other, .document) === unit)
    }

    /// The pool does not keep a hundred converters whose caches hostile keys have filled, but keeps those of normal payloads.
    @Test func `grown converters are kept up to a limit for all`() throws {
        let pool = ConverterPool()
        let recipe = try Recipe(Profile(parsing: Array("{\"keys\":\"camelCase\"}".utf8)), .forward, limits: Limits())
        let names = (0..<8_000).map { "\"some_name_\($0)\":1" }.joined(separator: ",")
        let payload = Array("{\(names)}".utf8)
        let units = (0..<40).map { _ in pool.take(recipe, .document) }
        for unit in units { try unit.finish(payload.span) }
        let grownBytes = units[0].converter.storedBytes
        #expect(grownBytes > 1_000_000)
        units.forEach(pool.giveBack)
        #expect(pool.count == ConverterPool.maxStoredBytes / grownBytes)
        #expect(pool.storedBytes == pool.count * grownBytes)
        // There is still room for other units, and a unit that is taken makes room.
        let small = (0..<20).map { _ in ConverterPool.Unit(recipe, .lines) }
        for unit in small { try unit.finish(Array("{\"a_b\":1}".utf8).span) }
        let before = pool.count
        small.forEach(pool.giveBack)
        #expect(pool.count == before + 20)
        let taken = pool.take(recipe, .document)
        #expect(pool.storedBytes == (before - 1) * grownBytes)
        pool.giveBack(taken)
        #expect(pool.storedBytes == before * grownBytes)
        pool.removeAll()
        #expect(pool.storedBytes == 0)
    }

    @Test func `grown converters that are not used make room for others`() throws {
        let pool = ConverterPool()
        let profile = try Profile(parsing: Array("{\"keys\":\"camelCase\"}".utf8))
        let old = try Recipe(profile, .forward, limits: Limits())
        let new = try Recipe(profile, .forward, limits: Limits())
        let names = (0..<8_000).map { "\"some_name_\($0)\":1" }.joined(separator: ",")
        let payload = Array("{\(names)}".utf8)
        let units = (0..<40).map { _ in ConverterPool.Unit(old, .document) } + [ConverterPool.Unit(new, .document)]
        for unit in units {
            try unit.finish(payload.span)
            pool.giveBack(unit)
        }
        #expect(pool.storedBytes <= ConverterPool.maxStoredBytes)
        #expect(pool.take(new, .document) === units[40])
        // The pool removed the ones that were unused longest.
        #expect(pool.take(old, .document) === units[39])
    }

    @Test func `with little memory, fewer idle converters are kept`() {
        // Half of the memory is for the minimum of each unit: 256 KiB of output and 128 KiB of cached keys.
        for (mebibytes, count) in [(6, 8), (1, 1), (0, 1), (96, 128), (1000, 128)] {
            let pool = ConverterPool(maxBytes: mebibytes * 1024 * 1024)
            let units = (0..<200).map { _ in pool.take(recipe, .document) }
            units.forEach(pool.giveBack)
            #expect(pool.count == count)
        }
    }

    @Test func `framings do not share converters`() {
        let pool = ConverterPool()
        let unit = pool.take(recipe, .document)
        pool.giveBack(unit)
        #expect(pool.take(recipe, .lines) !== unit)
        #expect(pool.take(recipe, .document) === unit)
    }

    @Test func `one recipe too many replaces only the recipe that was unused longest`() {
        let pool = ConverterPool()
        let recipes = (0..<ConverterPool.maxUnits).map { _ in Self.recipe() }
        for recipe in recipes { pool.giveBack(pool.take(recipe, .document)) }
        // The first recipe is used again, so the second is now the oldest.
        pool.giveBack(pool.take(recipes[0], .document))
        pool.giveBack(pool.take(Self.recipe(), .document))
        #expect(pool.count == ConverterPool.maxUnits)
        let kept = recipes.map { recipe in
            let count = pool.count
            _ = pool.take(recipe, .document)
            return pool.count < count
        }
        #expect(kept.indices.filter { !kept[$0] } == [1])
    }

    @Test func `the more selectors each new key is compared with, the shorter the slices`() throws {
        func slice(_ profile: String) throws -> Int {
            try Recipe(Profile(parsing: Array(profile.utf8)), .forward, limits: Limits()).maxSliceBytes
        }
        let names = (0..<1000).map { "\"*a\($0)\"" }.joined(separator: ",")
        let forms = (0..<400).map { "{\"pattern\": \"dd/MM/yyyy'\($0)'\"}" }.joined(separator: ",")
        #expect(try slice(#"{"drop": ["*_at", "/*/a"], "keys": "camelCase"}"#) == Recipe.sliceBytes.upperBound)
        #expect(try slice(#"{"output": {"sortKeys": true}}"#) == 25_000)
        #expect(try slice(#"{"drop": [\#(names)]}"#) == 400)
        #expect(try slice(#"{"dates": [{"at": "a", "from": [\#(forms)], "assumeZone": "UTC"}]}"#) == 1000)
    }
}
