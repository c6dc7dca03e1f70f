import FoundationEssentials
import Glibc

do {
    let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
    if options.showsHelp {
        print(BenchmarkOptions.help)
    } else if options.isPeer {
        try PeerLoop.run()
    } else {
        try BenchmarkRun(options).run()
    }
} catch {
    print("Benchmarks: \(error)")
    exit(EXIT_FAILURE)
}
