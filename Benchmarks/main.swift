import ConvertCore
import FoundationEssentials

func load(_ p: String) -> [UInt8] { [UInt8](try! Data(contentsOf: URL(filePath: p))) }
let clock = ContinuousClock()
func measure(_ name: String, _ input: [UInt8], _ plan: Plan) {
    var out = ByteBuffer(capacity: input.count * 2)
    var c = Converter(plan)
    let reps = max(3, 100_000_000 / input.count)
    var best = Double.infinity
    for _ in 0..<7 {
        let t = clock.measure {
            for _ in 0..<reps {
                out.removeAll()
                do {
                    c.reset()
                    try c.convert(input.span, into: &out)
                    try c.finish(into: &out)
                } catch { print(error); return }
            }
        }
        let s = Double(t.components.seconds) + Double(t.components.attoseconds) / 1e18
        best = min(best, s / Double(reps))
    }
    print(name, Int(Double(input.count) / best / 1e6), "MB/s", input.count, "->", out.count)
}
let dir = "../shared/corpus/"
let a = CommandLine.arguments
for f in ["twitter.json", "citm_catalog.json", "canada.json", "github_events.json", "payload_7944.json", "twitterescaped.json"] where a.count < 2 || f.contains(a[1]) {
    let input = load(dir + f)
    if a.count < 3 || a[2] == "minify" { measure("minify  " + f, input, .minify()) }
    if a.count < 3 || a[2] == "keys" { measure("keys+dup" + f, input, .temporary(KeyCaseRule(target: .camelCase), dup: true)) }
}
