// swift-tools-version: 6.3
import PackageDescription

// A package of its own, so that Convert itself needs no other package. Copy the parts that you use.
let package = Package(
    name: "convert-frameworks",
    products: [
        .library(name: "ConvertHummingbird", targets: ["ConvertHummingbird"]),
        .library(name: "ConvertVapor", targets: ["ConvertVapor"]),
    ],
    dependencies: [
        .package(name: "convert", path: "../.."),
        .package(url: "https://github.com/hummingbird-project/hummingbird.git", from: "2.0.0"),
        .package(url: "https://github.com/apple/swift-nio.git", from: "2.60.0"),
        .package(url: "https://github.com/vapor/vapor.git", from: "4.100.0"),
    ],
    targets: [
        .target(
            name: "ConvertHummingbird",
            dependencies: [
                .product(name: "ConvertCore", package: "convert"),
                .product(name: "Hummingbird", package: "hummingbird"), .product(name: "NIOCore", package: "swift-nio"),
            ]),
        .target(
            name: "ConvertVapor",
            dependencies: [
                .product(name: "ConvertCore", package: "convert"), .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "Vapor", package: "vapor"),
            ]),
    ]
)
