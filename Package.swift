// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

// The program needs nothing of the Codable layer, and without it not a byte of Foundation: how tools/build-static builds the image's.
// Whoever depends on the library never sets this, and has the layer.
let withoutCodable = Context.environment["CONVERT_WITHOUT_CODABLE"] == "1"

let package = Package(
    name: "Convert",
    products: [
        // SwiftPM links it statically in any case; named so, `swift build --product ConvertCore` builds it and nothing else.
        .library(name: "ConvertCore", type: .static, targets: ["ConvertCore"]),
        .executable(name: "convert-server", targets: ["ConvertServer"]),
    ],
    targets: [
        .target(name: "CSIMD"),
        .target(name: "CLinux"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "HTTPWire", swiftSettings: strict),
        .target(
            name: "ConvertCore", dependencies: ["CSIMD"], exclude: withoutCodable ? ["Codable"] : [],
            swiftSettings: strict),
        .executableTarget(
            name: "ConvertServer", dependencies: ["ConvertCore", "HTTPWire", "CLinux", "CZlib"],
            // Links to the files at the top of the project: the program serves them from wherever it runs.
            resources: [.embedInCode("openapi.yaml"), .embedInCode("profile.schema.json")], swiftSettings: strict),
        .executableTarget(
            name: "Benchmarks", dependencies: ["ConvertCore"], path: "Benchmarks",
            exclude: ["echo", "gateway", "http", "peers"],
            swiftSettings: strict),
        .executableTarget(
            name: "EchoServer", dependencies: ["ConvertCore", "HTTPWire", "CLinux"], path: "Benchmarks/echo",
            swiftSettings: strict),
        .testTarget(name: "ConvertCoreTests", dependencies: ["ConvertCore"], swiftSettings: strict),
        .testTarget(
            name: "ExamplesTests", dependencies: ["ConvertCore"], path: "examples",
            exclude: ["README.md", "gateway", "profiles", "spark"],
            swiftSettings: strict),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire"], swiftSettings: strict),
        .testTarget(name: "ConvertServerTests", dependencies: ["ConvertServer", "ConvertCore"], swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
