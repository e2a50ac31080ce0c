// swift-tools-version: 6.2
import PackageDescription

/// A package of its own, so that nobody who uses Gliss fetches SwiftNIO.
let package = Package(
  name: "example-nio",
  dependencies: [
    .package(name: "gliss", path: "../.."),
    .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
  ],
  targets: [
    .executableTarget(
      name: "example-nio",
      dependencies: [
        .product(name: "Gliss", package: "gliss"), .product(name: "NIOCore", package: "swift-nio"),
        .product(name: "NIOPosix", package: "swift-nio"),
      ])
  ],
  swiftLanguageModes: [.v6]
)
