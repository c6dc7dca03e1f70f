// swift-tools-version: 6.3
import PackageDescription

let strict: [SwiftSetting] = [
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableExperimentalFeature("Lifetimes"),
]

/// One layer of the library: a folder of Sources/ConvertCore that imports only the targets it names here.
func part(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/ConvertCore/\(name)", swiftSettings: strict)
}

/// One layer of the server: a folder of Sources/ConvertServer that imports only the targets it names here.
func layer(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
    .target(name: name, dependencies: dependencies, path: "Sources/ConvertServer/\(name)", swiftSettings: strict)
}

let package = Package(
    name: "Convert",
    products: [
        // SwiftPM links it statically in any case; named so, `swift build --product ConvertCore` builds it and nothing else.
        .library(name: "ConvertCore", type: .static, targets: ["ConvertCore"]),
        // tools/build-static makes libconvert.so of it, with Swift's libraries and without their symbols.
        .library(name: "convert", type: .static, targets: ["ConvertLibrary"]),
        .executable(name: "convert-server", targets: ["ConvertServer"]),
    ],
    // Parts that need another library than zlib. They are off by default, so a plain build needs only zlib.
    // `tools/library-traits` names those whose libraries are installed, and the Makefile builds with them.
    traits: [
        .trait(name: "Brotli", description: "Responses compressed with br; needs libbrotli-dev."),
        .trait(name: "YAML", description: "Descriptions of APIs in YAML; needs libyaml-dev."),
        .trait(name: "Zstandard", description: "Responses compressed with zstd; needs libzstd-dev."),
    ],
    targets: [
        .target(name: "CSIMD"),
        .target(name: "CLinux"),
        .target(name: "CPlayground"),
        .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
        .systemLibrary(name: "CBrotli", providers: [.apt(["libbrotli-dev"])]),
        .systemLibrary(name: "CYAML", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CZstandard", providers: [.apt(["libzstd-dev"])]),
        layer("Text", ["ConvertText"]),
        .target(name: "HTTPWire", dependencies: ["Text"], swiftSettings: strict),
        layer("Sockets", ["Text", "CLinux", "CPlayground"]),
        layer("HTTPSemantics", ["Text", "HTTPWire", "ConvertEngine", "ConvertProfiles"]),
        layer(
            "ContentCodings",
            [
                "Text", "HTTPSemantics", "ConvertEngine", "CZlib",
                .target(name: "CBrotli", condition: .when(traits: ["Brotli"])),
                .target(name: "CZstandard", condition: .when(traits: ["Zstandard"])),
            ]),
        layer("PayloadStreams", ["Text", "ConvertEngine"]),
        layer(
            "YAMLText", ["Text", "ConvertEngine", .target(name: "CYAML", condition: .when(traits: ["YAML"]))]),
        layer(
            "APIDescriptions", ["Text", "YAMLText", "HTTPSemantics", "ConvertEngine", "ConvertProfiles"]),
        layer("Telemetry", ["Text", "HTTPSemantics", "Sockets"]),
        layer("Observability", ["Telemetry", "Sockets", "ConvertEngine"]),
        layer("EventLoop", ["Text", "Sockets", "ConvertEngine"]),
        layer(
            "Conversions",
            [
                "Text", "Sockets", "HTTPSemantics", "ContentCodings", "Observability", "ConvertEngine",
                "ConvertProfiles",
                "ConvertFormats",
            ]),
        layer(
            "Upstreams",
            [
                "Text", "HTTPWire", "Sockets", "HTTPSemantics", "Telemetry", "Observability", "EventLoop",
                "ConvertEngine",
            ]),
        layer(
            "Service",
            [
                "Text", "HTTPWire", "HTTPSemantics", "ContentCodings", "Observability", "Conversions", "ConvertEngine",
                "ConvertProfiles",
            ]),
        layer(
            "Gateway",
            [
                "Text", "HTTPWire", "Sockets", "HTTPSemantics", "ContentCodings", "Telemetry", "Observability",
                "PayloadStreams", "EventLoop", "Conversions", "Upstreams", "APIDescriptions", "ConvertEngine",
                "ConvertProfiles",
            ]),
        layer(
            "ConfigurationReading",
            [
                "Text", "HTTPWire", "HTTPSemantics", "Observability", "PayloadStreams", "Upstreams", "Gateway",
                "ConvertEngine", "ConvertProfiles",
            ]),
        layer(
            "HTTPServer",
            [
                "Text", "HTTPWire", "Sockets", "HTTPSemantics", "ContentCodings", "Telemetry", "Observability",
                "EventLoop", "Conversions", "Upstreams", "Service", "Gateway", "ConvertEngine", "ConvertFormats",
            ]),
        part("ConvertText", []),
        part("ConvertEngine", ["ConvertText", "CSIMD"]),
        part("ConvertProfiles", ["ConvertText", "ConvertEngine"]),
        part("ConvertFormats", ["ConvertText", "ConvertEngine"]),
        part("ConvertCodable", ["ConvertText", "ConvertEngine", "ConvertProfiles", "ConvertFormats"]),
        part("ConvertCore", ["ConvertEngine", "ConvertProfiles", "ConvertFormats", "ConvertCodable"]),
        .target(
            name: "ConvertLibrary", dependencies: ["ConvertEngine", "ConvertProfiles"],
            exclude: ["convert.h", "exports.map"], swiftSettings: strict),
        .executableTarget(
            name: "ConvertServer",
            dependencies: [
                "ConvertEngine", "ConvertProfiles", "ConvertFormats", "Text", "HTTPWire", "Sockets", "HTTPSemantics",
                "ContentCodings", "PayloadStreams", "Telemetry", "Observability", "EventLoop", "Conversions",
                "Upstreams", "Service", "Gateway", "ConfigurationReading", "HTTPServer", "APIDescriptions",
            ],
            exclude: [
                "APIDescriptions", "ConfigurationReading", "ContentCodings", "Conversions", "EventLoop", "Gateway",
                "HTTPSemantics", "HTTPServer", "Observability", "PayloadStreams", "Service", "Sockets", "Telemetry",
                "Text", "Upstreams", "YAMLText",
            ],
            // Links to the files at the top of the project: the program serves them from wherever it runs.
            resources: [.embedInCode("openapi.yaml"), .embedInCode("profile.schema.json")], swiftSettings: strict),
        .executableTarget(
            name: "Benchmarks", dependencies: ["ConvertCore"], path: "Benchmarks",
            exclude: ["codings", "echo", "gateway", "http", "jobs", "peers"],
            swiftSettings: strict),
        .executableTarget(
            name: "EchoServer", dependencies: ["ConvertEngine", "EventLoop", "HTTPWire", "Sockets", "Text"],
            path: "Benchmarks/echo",
            swiftSettings: strict),
        .testTarget(
            name: "ConvertCoreTests",
            dependencies: [
                "ConvertCore", "ConvertEngine", "ConvertProfiles", "ConvertFormats", "ConvertCodable", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ExamplesTests", dependencies: ["ConvertCore"], path: "examples",
            exclude: ["README.md", "c", "django", "frameworks", "gateway", "profiles", "spark", "web"],
            swiftSettings: strict),
        // What test targets share: all of them, those that make a gateway, and those that make a client's session.
        .testTarget(
            name: "TestSupport", dependencies: ["HTTPSemantics", "HTTPWire", "Sockets", "Text", "Upstreams"],
            swiftSettings: strict),
        .testTarget(
            name: "GatewayTestSupport",
            dependencies: [
                "ConfigurationReading", "Conversions", "ConvertEngine", "ConvertProfiles", "Gateway", "HTTPSemantics",
                "HTTPWire", "TestSupport", "Text", "Upstreams",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPServerTestSupport",
            dependencies: ["EventLoop", "HTTPServer", "Observability", "Sockets", "Telemetry", "TestSupport"],
            swiftSettings: strict),
        .testTarget(name: "TextTests", dependencies: ["Text", "Sockets", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "YAMLTextTests", dependencies: ["YAMLText"], swiftSettings: strict),
        .testTarget(name: "HTTPWireTests", dependencies: ["HTTPWire", "TestSupport"], swiftSettings: strict),
        .testTarget(name: "SocketsTests", dependencies: ["Sockets", "TestSupport"], swiftSettings: strict),
        .testTarget(
            name: "HTTPSemanticsTests",
            dependencies: [
                "HTTPSemantics", "ConvertEngine", "ConvertProfiles", "HTTPWire", "TestSupport", "Text",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ContentCodingsTests",
            dependencies: [
                "ContentCodings", "ConvertEngine", "HTTPSemantics", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "PayloadStreamsTests",
            dependencies: [
                "PayloadStreams", "ConvertEngine", "ConvertFormats", "ConvertProfiles", "TestSupport", "Text",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "APIDescriptionsTests",
            dependencies: [
                "APIDescriptions", "ConvertEngine", "ConvertProfiles", "HTTPSemantics", "YAMLText",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "TelemetryTests", dependencies: ["Telemetry", "Sockets", "TestSupport", "Text"],
            swiftSettings: strict),
        .testTarget(
            name: "ObservabilityTests",
            dependencies: [
                "Observability", "ConvertEngine", "HTTPSemantics", "Sockets", "Telemetry", "TestSupport", "Text",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "EventLoopTests", dependencies: ["EventLoop", "ConvertEngine", "Sockets", "TestSupport", "Text"],
            swiftSettings: strict),
        .testTarget(
            name: "ConversionsTests",
            dependencies: [
                "Conversions", "ContentCodings", "ConvertCodable", "ConvertEngine", "ConvertProfiles", "HTTPSemantics",
                "Observability", "Sockets", "TestSupport",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "UpstreamsTests",
            dependencies: [
                "Upstreams", "EventLoop", "HTTPSemantics", "HTTPWire", "Observability", "Sockets", "TestSupport",
                "Text",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ServiceTests", dependencies: ["Service", "HTTPSemantics", "HTTPWire", "Observability"],
            swiftSettings: strict),
        .testTarget(
            name: "GatewayTests",
            dependencies: [
                "Gateway", "Conversions", "ConvertEngine", "ConvertProfiles", "GatewayTestSupport", "HTTPSemantics",
                "HTTPWire", "Observability", "PayloadStreams", "Sockets", "TestSupport", "Text", "Upstreams",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ConfigurationReadingTests",
            dependencies: [
                "ConfigurationReading", "Conversions", "ConvertProfiles", "Gateway", "GatewayTestSupport",
                "HTTPSemantics", "Text", "Upstreams",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "HTTPServerTests",
            dependencies: [
                "HTTPServer", "Conversions", "ConvertEngine", "ConvertFormats", "ConvertProfiles", "EventLoop",
                "Gateway", "GatewayTestSupport", "HTTPSemantics", "HTTPServerTestSupport", "HTTPWire", "Observability",
                "Service", "Sockets", "Telemetry", "TestSupport", "Text", "Upstreams",
            ],
            swiftSettings: strict),
        .testTarget(
            name: "ConvertServerTests",
            dependencies: [
                "ConvertServer", "ConvertCore", "ConvertEngine", "ConvertProfiles", "ConvertFormats", "Text",
                "HTTPWire", "Sockets", "HTTPSemantics", "Observability", "Conversions", "Upstreams", "Service",
                "Gateway", "ConfigurationReading", "HTTPServer", "TestSupport", "HTTPServerTestSupport", "YAMLText",
            ],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
