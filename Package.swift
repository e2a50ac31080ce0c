// swift-tools-version: 6.2
import PackageDescription

// Warnings are errors with the compilers they were seen to; a newer one may know more of them.
#if compiler(<6.4)
  let warnings: [SwiftSetting] = [.treatAllWarnings(as: .error)]
#else
  let warnings: [SwiftSetting] = []
#endif

let strict: [SwiftSetting] =
  warnings + [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]

// A target names all modules whose types it handles, also those it only meets through another: SwiftPM compiles it
// again when a module it names has changed, and links it against another layout when it does not know.

/// A module of the house: its arrows go down only (docs/architecture.md).
func module(_ name: String, _ imports: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: imports, swiftSettings: strict)
}

func tests(_ name: String, _ imports: [Target.Dependency]) -> Target {
  .testTarget(name: name, dependencies: imports, swiftSettings: strict)
}

let package = Package(
  name: "gliss",
  products: [
    .library(name: "Gliss", targets: ["Gliss"]),
    .library(name: "GlissSynthesis", targets: ["GlissSynthesis"]),
    .executable(name: "gliss", targets: ["gliss-cli"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    .systemLibrary(name: "CYaml", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
    module("GlissEvents"),
    module("GlissGestures", ["GlissEvents"]),
    module("GlissSynthesis", ["GlissEvents"]),
    module("GlissSession", ["GlissEvents", "GlissGestures"]),
    module("GlissRecordings", ["GlissEvents", "GlissGestures", "GlissSession", "CYaml"]),
    module(
      "Gliss",
      [
        "GlissEvents", "GlissGestures", "GlissSynthesis", "GlissSession", "GlissRecordings",
      ]),
    .executableTarget(
      name: "gliss-cli",
      dependencies: [
        "Gliss", "GlissEvents", "GlissGestures", "GlissRecordings", "GlissSession",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Sources/gliss", swiftSettings: strict),
    .target(
      name: "TestSupport", dependencies: ["GlissEvents", "GlissGestures", "GlissSession"],
      path: "Tests/Support",
      swiftSettings: strict),
    tests("GlissEventsTests", ["GlissEvents"]),
    tests("GlissTests", ["Gliss", "GlissEvents", "GlissGestures", "GlissSession"]),
    tests("HouseTests", []),
    tests("CommandTests", ["gliss-cli"]),
    tests(
      "GlissGesturesTests",
      ["GlissEvents", "GlissGestures", "GlissSession", "GlissSynthesis", "TestSupport"]),
    tests(
      "GlissRecordingsTests", ["GlissEvents", "GlissGestures", "GlissRecordings", "GlissSession"]),
    .executableTarget(
      name: "gliss-accuracy",
      dependencies: [
        "GlissEvents", "GlissGestures", "GlissRecordings", "GlissSession", "GlissSynthesis",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "tools/Accuracy", swiftSettings: strict),
    .executableTarget(
      name: "gliss-synthesize",
      dependencies: [
        "GlissEvents", "GlissRecordings", "GlissSynthesis",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "tools/Synthesize", swiftSettings: strict),
    tests("GlissSynthesisTests", ["GlissEvents", "GlissSynthesis"]),
    tests(
      "GoldenTests",
      ["GlissEvents", "GlissGestures", "GlissRecordings", "GlissSession", "GlissSynthesis"]),
  ],
  swiftLanguageModes: [.v6]
)

// Fuzzers replace `main`, so an ordinary build must not see them: tools/fuzz sets this.
if Context.environment["GLISS_FUZZ"] != nil {
  package.targets.append(
    .target(
      name: "FuzzSupport",
      dependencies: [
        "GlissEvents", "GlissGestures", "GlissRecordings", "GlissSession", "TestSupport",
      ],
      path: "tools/Fuzz/FuzzSupport", swiftSettings: strict))
  for name in ["FuzzLibinput", "FuzzEvemu", "FuzzEvtest", "FuzzDecoder"] {
    package.targets.append(
      .executableTarget(
        name: name, dependencies: ["FuzzSupport"], path: "tools/Fuzz/\(name)",
        swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
  }
}
