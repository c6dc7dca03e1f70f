import FoundationEssentials
import Glibc

do {
    let options = try BenchmarkOptions(Array(CommandLine.arguments.dropFirst()))
    if options.showsHelp {
        print(BenchmarkOptions.help)
    } else if options.isPeer {
        try PeerLoop.run()
    } else if options.showsGrowth {
        try Growth(options).run()
    } else if let directory = options.write {
        try Corpus(directory: options.corpus).write(to: directory)
    } else {
        try BenchmarkRun(options).run()
    }
} catch {
    print("Benchmarks: \(error)")
    exit(EXIT_FAILURE)
}
