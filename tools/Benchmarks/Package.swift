// swift-tools-version: 6.2
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

let gliss: [Target.Dependency] = [.product(name: "Gliss", package: "gliss")]

/// What measures Gliss. A package of its own, so that nobody who uses the library builds it.
let package = Package(
  name: "gliss-benchmarks",
  // named, because a clone's folder may be called anything
  dependencies: [.package(name: "gliss", path: "../..")],
  targets: [
    .target(name: "CAllocationCounter"),
    .target(name: "Workload", dependencies: gliss, swiftSettings: strict),
    .executableTarget(
      name: "allocations", dependencies: gliss + ["Workload", "CAllocationCounter"],
      swiftSettings: strict),
    .executableTarget(
      name: "frames", dependencies: gliss + ["Workload"], swiftSettings: strict),
    .executableTarget(
      name: "benchmarks", dependencies: gliss + ["Workload"], swiftSettings: strict),
  ],
  swiftLanguageModes: [.v6]
)
