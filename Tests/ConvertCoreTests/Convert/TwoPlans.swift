import TestSupport
import Testing

@testable import ConvertEngine

/// Makes payloads of few keys, so that rules often apply and keys often collide.
struct FewKeysMaker {
    var random: SeededGenerator
    /// Values under keys of one letter are mostly objects.
    let keys: [String]

    mutating func chance(_ oneIn: Int) -> Bool { Int.random(in: 0..<oneIn, using: &random) == 0 }

    mutating func payload(_ framing: Converter.Framing) -> String {
        guard framing == .lines else { return object(depth: 0) }
        return (0..<3).map { _ in object(depth: 0) + "\n" }.joined()
    }

    private mutating func object(depth: Int) -> String {
        var keys = keys.shuffled(using: &random).prefix(Int.random(in: 0...4, using: &random)).map { $0 }
        if chance(30), let first = keys.first { keys.append(first) }
        let space = chance(4) ? " " : ""
        let members = keys.map { key in
            let name = chance(12) ? key.replacing("a", with: "\\u0061") : key
            return "\"\(name)\":\(space)\(value(depth: depth + 1, isLikelyObject: key.count == 1))"
        }
        return "{\(members.joined(separator: ",\(space)"))}"
    }

    private mutating func value(depth: Int, isLikelyObject: Bool) -> String {
        if depth < 4, isLikelyObject && !chance(5) { return object(depth: depth) }
        switch Int.random(in: 0..<(depth < 4 ? 9 : 6), using: &random) {
        case 0: return "null"
        case 1: return "\"\""
        case 2: return ["\"x\"", "\"{}\"", "\"é\\u00e9\"", "\"12\""].randomElement(using: &random) ?? "0"
        case 3: return "17"
        case 4: return "true"
        case 5: return depth < 4 ? "[]" : "{}"
        case 6: return "{}"
        default:
            let elements = (0..<Int.random(in: 0...2, using: &random)).map { _ in
                value(depth: depth + 1, isLikelyObject: true)
            }
            return "[\(elements.joined(separator: ","))]"
        }
    }
}

/// The same payloads by two plans that do the same in different ways.
struct TwoPlans {
    private static let payloadsAProfile = 6

    var (outputs, errors, sameErrors) = (0, 0, 0)

    /// Compares the plan with `expected`, and with itself in pieces and with a small key cache. With `ignoresCodes`, records may be
    /// skipped for different errors.
    mutating func compare(
        _ plan: Plan, with expected: Plan, _ maker: inout FewKeysMaker, ignoresCodes: Bool = false, _ label: String
    ) {
        let framing: Converter.Framing = maker.chance(5) ? .lines : .document
        var forgetful = Converter(plan, framing: framing)
        forgetful.engine.keys.cache.roomyEntries = 4
        for _ in 0..<Self.payloadsAProfile {
            let payload = maker.payload(framing)
            let bytes = Array(payload.utf8)
            let expected = ConverterTrial(expected, bytes, framing: framing)
            let whole = ConverterTrial(plan, bytes, framing: framing)
            let singly = ConverterTrial(plan, bytes, framing: framing, cuts: Array(0..<bytes.count))
            let forgotten = ConverterTrial(&forgetful, bytes, cuts: maker.random.cuts(count: bytes.count, most: 5))
            #expect(whole.agrees(with: singly), "\(label) over \(payload)\n\(whole)\n\(singly)")
            #expect(
                whole.agrees(with: forgotten, otherWords: true), "\(label) over \(payload)\n\(whole)\n\(forgotten)")
            guard let error = expected.error, let other = whole.error else {
                let isSame =
                    ignoresCodes
                    ? whole.output == expected.output && whole.error == expected.error : whole.agrees(with: expected)
                #expect(isSame, "\(label) over \(payload)\n\(whole)\n\(expected)")
                outputs += 1
                continue
            }
            // If a payload has several errors, another one may be found first.
            errors += 1
            sameErrors += error == other ? 1 : 0
        }
    }
}
