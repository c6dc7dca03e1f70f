import ConvertCore
import Testing

@testable import ConvertServer

struct ConverterPoolTests {
    private let recipe = Recipe.minify(output: OutputOptions(), limits: Limits())

    @Test func `as many units as 64 connections use at one time are used again`() {
        let pool = ConverterPool()
        let first = (0..<64).map { _ in pool.take(recipe, .document) }
        #expect(Set(first.map(ObjectIdentifier.init)).count == 64, "a unit serves one payload at a time")
        first.forEach(pool.giveBack)
        let second = (0..<64).map { _ in pool.take(recipe, .document) }
        #expect(Set(second.map(ObjectIdentifier.init)) == Set(first.map(ObjectIdentifier.init)))
    }

    @Test func `the units that wait are bounded, and a recipe that none waits for still gets a place`() {
        let pool = ConverterPool()
        let many = (0..<1000).map { _ in pool.take(recipe, .document) }
        many.forEach(pool.giveBack)
        let again = (0..<1000).map { _ in pool.take(recipe, .document) }
        // All that were handed back are still here, so that no other unit has the address of one of them.
        let known = Set(many.map(ObjectIdentifier.init))
        #expect(again.count { known.contains(ObjectIdentifier($0)) } == 128)
        again.forEach(pool.giveBack)
        let other = Recipe.minify(output: OutputOptions(), limits: Limits())
        let unit = pool.take(other, .document)
        pool.giveBack(unit)
        #expect(pool.take(other, .document) === unit)
    }

    @Test func `framings do not share units`() {
        let pool = ConverterPool()
        let unit = pool.take(recipe, .document)
        pool.giveBack(unit)
        #expect(pool.take(recipe, .lines) !== unit)
        #expect(pool.take(recipe, .document) === unit)
    }
}
