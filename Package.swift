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

/// Headers of a C library, and where Debian has it.
func system(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
  .systemLibrary(name: name, pkgConfig: pkgConfig, providers: [.apt([package])])
}

func tests(
  _ name: String, _ imports: [Target.Dependency], beside files: [String] = []
) -> Target {
  .testTarget(name: name, dependencies: imports, exclude: files, swiftSettings: strict)
}

/// A program that shows how the library is used.
func example(_ name: String, in folder: String) -> Target {
  .executableTarget(
    name: name,
    dependencies: [
      "Gliss", "GlissClient", "GlissDevices", "GlissEvents", "GlissGate", "GlissGestures",
      "GlissHotkeys", "GlissRecognition", "GlissRecordings", "GlissSession", "GlissSynthesis",
    ], path: "Examples/\(folder)", swiftSettings: warnings)
}

let package = Package(
  name: "gliss",
  products: [
    .library(name: "Gliss", targets: ["Gliss"]),
    .library(name: "GlissRecognition", targets: ["GlissRecognition"]),
    .library(name: "GlissSynthesis", targets: ["GlissSynthesis"]),
    .executable(name: "gliss", targets: ["gliss-cli"]),
    .executable(name: "glissd", targets: ["glissd"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2")
  ],
  targets: [
    system("CYaml", "yaml-0.1", "libyaml-dev"),
    system("CExpat", "expat", "libexpat1-dev"),
    system("CLibinput", "libinput", "libinput-dev"),
    system("CLibevdev", "libevdev", "libevdev-dev"),
    system("CLibudev", "libudev", "libudev-dev"),
    system("CXkbcommon", "xkbcommon", "libxkbcommon-dev"),
    system("CSystemd", "libsystemd", "libsystemd-dev"),
    system("CSQLite", "sqlite3", "libsqlite3-dev"),
    .systemLibrary(name: "CLinux"),
    module("GlissEvents"),
    module("GlissGestures", ["GlissEvents"]),
    module("GlissHotkeys", ["GlissEvents"]),
    module("GlissSession", ["GlissEvents", "GlissGestures", "GlissHotkeys"]),
    module("GlissSynthesis", ["GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSession"]),
    module("GlissRecordings", ["GlissEvents", "GlissGestures", "GlissSession", "GlissYaml"]),
    module(
      "GlissDevices",
      [
        "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSession", "CLinux", "CLibinput",
        "CLibevdev", "CLibudev", "CXkbcommon", "CSystemd",
      ]),
    module("GlissGate", ["GlissEvents", "CSQLite"]),
    module(
      "GlissClient",
      ["GlissEvents", "GlissGestures", "GlissHotkeys", "GlissGate", "GlissDevices", "CLinux"]),
    .target(
      name: "GlissFocus", dependencies: ["GlissEvents", "GlissDevices"],
      swiftSettings: strict),
    .target(
      name: "GlissBroker",
      dependencies: [
        "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSession", "GlissGate",
        "GlissDevices", "GlissClient", "CLinux", "CSystemd",
      ],
      resources: [
        .embedInCode("Interface/org.gliss.Broker.varlink"),
        .embedInCode("Interface/org.gliss.Grants.varlink"),
      ], swiftSettings: strict),
    .target(
      name: "GlissPlot", dependencies: ["GlissEvents", "GlissGestures", "GlissSession"],
      resources: [
        .embedInCode("Page/page.css"), .embedInCode("Page/page.html"),
        .embedInCode("Page/page.js"),
      ], swiftSettings: strict),
    module("GlissYaml", ["CYaml"]),
    .target(
      name: "GlissConfiguration",
      dependencies: ["CXkbcommon", "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissYaml"],
      resources: [.embedInCode("Example/gliss.yaml")], swiftSettings: strict),
    module(
      "GlissImport",
      [
        "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissYaml", "GlissConfiguration", "CExpat",
      ]),
    .target(
      name: "GlissAgent",
      dependencies: [
        "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSession", "GlissConfiguration",
        "GlissDevices", "GlissFocus", "GlissGate", "GlissClient", "GlissBroker", "CLinux",
        "CSystemd",
      ],
      resources: [
        .embedInCode("Interface/org.gliss.Agent.varlink"), .embedInCode("Taking/gliss.lua"),
      ], swiftSettings: strict),
    module(
      "GlissPortal",
      [
        "GlissEvents", "GlissHotkeys", "GlissConfiguration", "GlissDevices", "GlissAgent",
        "CLinux",
      ]),
    .executableTarget(name: "glissd", dependencies: ["GlissBroker"], swiftSettings: strict),
    module(
      "GlissRecognition",
      [
        "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSession", "GlissRecordings",
      ]),
    module(
      "Gliss",
      [
        "GlissRecognition", "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSession",
        "GlissRecordings", "GlissDevices", "GlissGate", "GlissClient",
        "GlissFocus",
      ]),
    .executableTarget(
      name: "gliss-cli",
      dependencies: [
        "CLinux", "Gliss", "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissRecordings",
        "GlissSession", "GlissDevices", "GlissGate", "GlissClient", "GlissFocus",
        "GlissConfiguration", "GlissImport", "GlissAgent", "GlissPlot",
        "GlissPortal",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "Sources/gliss", swiftSettings: strict),
    .target(
      name: "TestSupport",
      dependencies: [
        "CLibudev", "GlissConfiguration", "GlissDevices", "GlissEvents", "GlissGestures",
        "GlissRecordings", "GlissSession", "GlissSynthesis",
      ], path: "Tests/Support", swiftSettings: strict),
    tests("GlissEventsTests", ["GlissEvents", "GlissSynthesis", "TestSupport"]),
    tests(
      "GlissTests",
      [
        "Gliss", "GlissClient", "GlissDevices", "GlissEvents", "GlissGate", "GlissGestures",
        "GlissSession", "GlissSynthesis",
      ]),
    example("example-zoom", in: "Zoom"),
    example("example-short-drags", in: "ShortDrags"),
    example("example-hotkeys", in: "Hotkeys"),
    example("example-chosen-hotkeys", in: "ChosenHotkeys"),
    example("example-global-monitor", in: "GlobalMonitor"),
    example("example-live-actor", in: "LiveActor"),
    example("example-loops", in: "Loops"),
    .testTarget(
      name: "StrokeTests",
      dependencies: ["Gliss", "GlissEvents", "GlissGestures", "GlissSession", "GlissSynthesis"],
      path: "Examples/StrokeTests", swiftSettings: warnings),
    tests("HouseTests", []),
    tests(
      "GlissHotkeysTests",
      ["CXkbcommon", "GlissEvents", "GlissHotkeys", "GlissSynthesis", "TestSupport"]),
    tests(
      "GlissDevicesTests",
      [
        "GlissDevices", "GlissEvents", "GlissHotkeys", "GlissSession", "GlissSynthesis",
        "StrokeClasses",
        "TestSupport",
      ]),
    .executableTarget(
      name: "gliss-stage",
      dependencies: [
        "GlissBroker", "GlissClient", "GlissDevices", "GlissEvents", "GlissGate", "GlissHotkeys",
        "GlissSession", "GlissSynthesis", "StrokeClasses",
      ], path: "Tests/Stage", swiftSettings: strict),
    .executableTarget(
      name: "gliss-taker",
      dependencies: ["GlissDevices", "GlissEvents", "GlissHotkeys", "GlissSession"],
      path: "Tests/Taker", swiftSettings: strict),
    .executableTarget(
      name: "gliss-doer",
      dependencies: ["GlissConfiguration", "GlissDevices", "GlissEvents", "GlissFocus"],
      path: "Tests/Doer", swiftSettings: strict),
    .executableTarget(name: "gliss-heckler", path: "Tests/Heckler", swiftSettings: strict),
    tests(
      "AttackTests",
      [
        "gliss-cli", "gliss-heckler", "gliss-stage", "glissd", "GlissDevices", "GlissEvents",
        "GlissSynthesis", "TestSupport",
      ]),
    .executableTarget(
      name: "gate-torture", dependencies: ["GlissEvents", "GlissGate", "GlissSynthesis"],
      path: "Tests/GateTorture", swiftSettings: strict),
    tests(
      "GlissGateTests",
      ["gate-torture", "CSQLite", "GlissEvents", "GlissGate", "GlissSynthesis", "TestSupport"]),
    tests(
      "GlissBrokerTests",
      [
        "glissd", "CLinux", "GlissEvents", "GlissGate", "GlissClient", "GlissBroker",
        "GlissDevices", "GlissHotkeys",
        "GlissSession", "GlissSynthesis", "TestSupport",
      ]),
    tests(
      "GlissClientTests",
      [
        "GlissClient", "GlissDevices", "GlissEvents", "GlissGate", "GlissSynthesis", "TestSupport",
      ]),
    tests(
      "GlissFocusTests",
      ["GlissDevices", "GlissEvents", "GlissFocus", "GlissSynthesis", "TestSupport"]),
    tests(
      "GlissConfigurationTests",
      [
        "GlissConfiguration", "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissSynthesis",
        "GlissYaml", "TestSupport",
      ]),
    tests(
      "GlissImportTests",
      [
        "GlissImport", "GlissConfiguration", "GlissEvents", "GlissGestures", "GlissHotkeys",
        "GlissSynthesis", "GlissYaml", "TestSupport",
      ], beside: ["Fixtures"]),
    tests(
      "GlissAgentTests",
      [
        "CLinux", "GlissAgent", "GlissBroker", "GlissClient", "GlissConfiguration",
        "GlissDevices", "GlissEvents", "GlissGate", "GlissGestures", "GlissHotkeys",
        "GlissSession", "GlissSynthesis", "StrokeClasses", "TestSupport",
      ], beside: ["Taking/libinput.lua"]),
    tests(
      "GlissPortalTests",
      [
        "GlissPortal", "GlissConfiguration", "GlissDevices", "GlissEvents", "GlissHotkeys",
        "GlissSynthesis", "TestSupport",
      ]),
    tests(
      "GlissSessionTests",
      [
        "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissRecognition", "GlissSession",
        "GlissSynthesis", "TestSupport",
      ]),
    tests(
      "LiveTests",
      [
        "gliss-taker", "CLibevdev", "CLibinput", "CLinux", "GlissAgent", "GlissConfiguration",
        "GlissDevices", "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissRecognition",
        "GlissRecordings", "GlissSession", "GlissSynthesis", "StrokeClasses", "TestSupport",
      ]),
    tests(
      "CommandTests",
      [
        "example-chosen-hotkeys", "example-global-monitor", "example-hotkeys", "example-live-actor",
        "example-loops", "example-short-drags", "example-zoom", "gliss-cli", "glissd",
        "GlissDevices", "GlissEvents",
        "GlissGate",
        "GlissSynthesis",
        "GlissRecordings", "GlissSession",
        "TestSupport", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ]),
    tests(
      "GlissGesturesTests",
      [
        "GlissEvents", "GlissGestures", "GlissSession", "GlissSynthesis", "StrokeClasses",
        "Mapping", "TestSupport",
      ]),
    tests(
      "GlissRecordingsTests", ["GlissEvents", "GlissGestures", "GlissRecordings", "GlissSession"]),
    .target(
      name: "StrokeClasses", dependencies: ["GlissEvents", "GlissSynthesis"], path: "tools/Classes",
      swiftSettings: strict),
    .target(
      name: "Scoring",
      dependencies: ["GlissEvents", "GlissGestures", "GlissSession", "GlissSynthesis"],
      path: "tools/Scoring", swiftSettings: strict),
    .executableTarget(
      name: "gliss-compare",
      dependencies: [
        "CLibevdev", "CLibinput", "GlissDevices", "GlissEvents", "GlissSession", "GlissSynthesis",
        "StrokeClasses",
        "Scoring", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "tools/Compare", swiftSettings: strict),
    .executableTarget(
      name: "gliss-accuracy",
      dependencies: [
        "Scoring", "GlissEvents", "GlissGestures", "GlissPlot", "GlissRecordings", "GlissSession",
        "GlissSynthesis", "StrokeClasses",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "tools/Accuracy", swiftSettings: strict),
    .target(
      name: "Mapping", dependencies: ["GlissEvents", "GlissGestures", "GlissSynthesis"],
      path: "tools/Mapping", swiftSettings: strict),
    .executableTarget(
      name: "gliss-map",
      dependencies: [
        "Mapping", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "tools/Map", swiftSettings: strict),
    .executableTarget(
      name: "gliss-synthesize",
      dependencies: [
        "GlissEvents", "GlissRecordings", "GlissSynthesis", "StrokeClasses",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ], path: "tools/Synthesize", swiftSettings: strict),
    tests("GlissSynthesisTests", ["GlissEvents", "GlissSynthesis", "StrokeClasses"]),
    tests(
      "GlissPlotTests",
      [
        "GlissEvents", "GlissGestures", "GlissPlot", "GlissRecordings", "GlissSession",
        "GlissSynthesis", "TestSupport",
      ], beside: ["Golden"]),
    tests(
      "GoldenTests",
      [
        "GlissEvents", "GlissGestures", "GlissRecordings", "GlissSession", "GlissSynthesis",
        "StrokeClasses",
        "TestSupport",
      ]),
  ],
  swiftLanguageModes: [.v6]
)

// Building with a sanitizer takes long: tools/test names the tests that it runs then.
if let names = Context.environment["GLISS_TESTS"]?.split(whereSeparator: \.isWhitespace) {
  package.targets.removeAll { $0.type == .test && !names.contains(Substring($0.name)) }
}

// Fuzzers replace `main`, so an ordinary build must not see them: tools/fuzz sets this.
if Context.environment["GLISS_FUZZ"] != nil {
  package.targets.append(
    .target(
      name: "FuzzSupport",
      dependencies: [
        "GlissBroker", "GlissClient", "GlissConfiguration", "GlissEvents", "GlissFocus",
        "GlissGate", "GlissGestures", "GlissHotkeys", "GlissImport", "GlissPortal",
        "GlissRecordings", "GlissSession",
        "TestSupport",
      ],
      path: "tools/Fuzz/FuzzSupport", swiftSettings: strict))
  package.targets.append(
    .executableTarget(
      name: "Fuzzer", dependencies: ["FuzzSupport"], path: "tools/Fuzz/Fuzzer",
      swiftSettings: strict + [.unsafeFlags(["-parse-as-library"])]))
}

// What measures Gliss is part of the package, because it sees more than apps do; only tools/lib.sh builds it.
if Context.environment["GLISS_BENCHMARKS"] != nil {
  let library: [Target.Dependency] = [
    "Gliss", "GlissEvents", "GlissGestures", "GlissHotkeys", "GlissRecordings", "GlissSession",
    "GlissSynthesis",
  ]
  package.targets += [
    .target(name: "CAllocationCounter", path: "tools/Benchmarks/CAllocationCounter"),
    .target(
      name: "Workload", dependencies: library, path: "tools/Benchmarks/Workload",
      swiftSettings: strict),
  ]
  for name in ["allocations", "frames", "benchmarks"] {
    package.targets.append(
      .executableTarget(
        name: name, dependencies: library + ["CAllocationCounter", "Workload"],
        path: "tools/Benchmarks/\(name)", swiftSettings: strict))
  }
}
