// swift-tools-version: 6.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")
let deque = Target.Dependency.product(name: "DequeModule", package: "swift-collections")
let lifecycle = Target.Dependency.product(name: "ServiceLifecycle", package: "swift-service-lifecycle")

/// A module of the floor and folder `Sources/folder`. It may depend on the floors below its own.
func module(_ name: String, in folder: String, _ dependencies: [Target.Dependency]) -> Target {
  .target(name: name, dependencies: dependencies, path: "Sources/\(folder)", swiftSettings: strict)
}

/// The server's part of a bridge, `Sources/Bridges/NAME/Server`. Two bridges never use each other.
func bridge(_ name: String, _ dependencies: [Target.Dependency]) -> Target {
  module(
    "\(name)Server", in: "Bridges/\(name)/Server",
    [
      "BridgeCore", "BridgeRuntime", "BridgeServer", "Essentials", "HTTP1", "Sessions", "SiteServer", "WebServer",
      httpTypes, log,
    ] + dependencies)
}

/// The module map of a C library, with the packages that have it.
func system(_ name: String, pkgConfig: String? = nil, apt: String? = nil, brew: String? = nil) -> Target {
  let providers = (apt.map { [.apt([$0])] } ?? []) + (brew.map { [SystemPackageProvider.brew([$0])] } ?? [])
  return .systemLibrary(
    name: name, path: "Sources/System/\(name)", pkgConfig: pkgConfig, providers: providers.isEmpty ? nil : providers)
}

/// What tests of a module that needs a server, a session or a page depend on. `Tests/Support` is part of each.
let whole: [Target.Dependency] = [
  "BridgeCore", "BridgeRuntime", "BridgeServer", "Cluster", "COpenSSL", "CookieJar", "Cryptography", "DeclaredServer",
  "Delivery", "Essentials", "Footbridge", "FootbridgeTesting", "GBGServer", "HTMLInjection", "HTTP1", "OnsideKit",
  "OnsideServer",
  "Sessions", "SiteServer", "Today", "TodayServer", "WebServer", httpTypes, log, lifecycle,
  .product(name: "GRDB", package: "GRDB.swift"),
]

/// The tests of a module, in the folder `Tests/folder`; by default in a folder of their name.
func tests(_ name: String, in folder: String? = nil, _ dependencies: [Target.Dependency]) -> Target {
  .testTarget(
    name: name, dependencies: dependencies, path: "Tests/\(folder ?? name)", swiftSettings: strict)
}

let fuzzed: [Target.Dependency] = [
  "Footbridge", "FootbridgeTesting", "BridgeCore", "BridgeRuntime", "ContentDecoding", "ControlClient", "CookieJar",
  "BridgeServer", "DeclaredServer", "HTTP1", "OnsideKit", "OnsideServer", "Sessions", "SiteServer", "Today",
  "TodayServer", "WebServer", httpTypes,
]

/// The fuzz targets: tests, or for `make fuzz` a program with libFuzzer.
let fuzzing: Target =
  Context.environment["FOOTBRIDGE_FUZZ"] == nil
  ? .testTarget(
    name: "FuzzTests", dependencies: fuzzed, exclude: ["Corpus", "Fuzzer"], swiftSettings: strict)
  : .executableTarget(
    name: "Fuzzer", dependencies: fuzzed, path: "Tests/FuzzTests", exclude: ["Corpus", "CorpusTests.swift"],
    swiftSettings: strict, linkerSettings: [.linkedLibrary("stdc++")])

let package = Package(
  name: "footbridge",
  platforms: [.macOS(.v15)],
  products: [
    .library(name: "Footbridge", targets: ["Footbridge"]),
    .library(name: "FootbridgeTesting", targets: ["FootbridgeTesting"]),
    .library(name: "BridgeCore", targets: ["BridgeCore"]),
    .library(name: "BridgeRuntime", targets: ["BridgeRuntime"]),
    .library(name: "CookieJar", targets: ["CookieJar"]),
    .library(name: "GBGBridge", targets: ["GBGBridge"]),
    .library(name: "OnsideKit", targets: ["OnsideKit"]),
    .library(name: "Today", targets: ["Today"]),
    .executable(name: "footbridge", targets: ["FootbridgeCommand"]),
  ],
  dependencies: [
    .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-collections", from: "1.2.0"),
    .package(url: "https://github.com/apple/swift-http-types", from: "1.8.0"),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
    .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
    .package(url: "https://github.com/jpsim/Yams", from: "6.2.2"),
  ],
  targets: [
    // System
    system("CLibwebsockets", pkgConfig: "libwebsockets", apt: "libwebsockets-dev", brew: "libwebsockets"),
    system("COpenSSL", pkgConfig: "openssl", apt: "libssl-dev", brew: "openssl@3"),
    system("CBrotli", pkgConfig: "libbrotlidec", apt: "libbrotli-dev", brew: "brotli"),
    system("CEpoll"),
    // Loaded when it is needed, so there is nothing to link.
    system("CLibpq"),
    system("CNghttp2", pkgConfig: "libnghttp2", apt: "libnghttp2-dev", brew: "libnghttp2"),
    system("CPlainText"),
    system("CPublicSuffix", pkgConfig: "libpsl", apt: "libpsl-dev", brew: "libpsl"),
    system("CZlib", pkgConfig: "zlib", apt: "zlib1g-dev"),
    system("CZstandard", pkgConfig: "libzstd", apt: "libzstd-dev", brew: "zstd"),
    // For the program alone: a program that uses Footbridge as a library may need ICU's data.
    .target(name: "EmptyICUData", path: "Sources/System/EmptyICUData"),
    .target(
      name: "WebFiles", path: "web",
      exclude: [
        "about", "api", "bridges", "dashboard", "demo", "lint", "proxy", "recorder", "sheets", "shim", "testing",
        "tsconfig.json",
        "workers",
      ],
      sources: ["embedded.c"]),

    // Core
    module("Essentials", in: "Core/Essentials", []),
    module("Cryptography", in: "Core/Cryptography", ["COpenSSL", "Essentials"]),
    module("HTTP1", in: "Core/HTTP1", [httpTypes]),
    module("BridgeRuntime", in: "Core/BridgeRuntime", ["Essentials"]),
    module(
      "WebServer", in: "Core/WebServer",
      [
        .target(name: "CEpoll", condition: .when(platforms: [.linux])), "CLibwebsockets", "CNghttp2", "COpenSSL",
        "Cryptography", "Essentials", "HTTP1", "BridgeRuntime", httpTypes, log,
        .product(name: "HeapModule", package: "swift-collections"),
      ]),
    module("BridgeCore", in: "Core/BridgeCore", ["BridgeRuntime", "CPlainText", "Essentials", deque]),
    module("CookieJar", in: "Core/CookieJar", ["CPublicSuffix", "Essentials"]),
    module("InAppPurchases", in: "Core/InAppPurchases", ["BridgeCore", "BridgeRuntime", "Essentials"]),

    // Sessions
    module("Delivery", in: "Sessions/Delivery", ["BridgeCore", deque]),
    module(
      "Sessions", in: "Sessions/Sessions",
      [
        "BridgeCore", "BridgeRuntime", "CookieJar", "Cryptography", "Delivery", "Essentials", "HTTP1", "InAppPurchases",
        "WebServer", httpTypes, log, deque, .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ]),

    // Seam
    module(
      "BridgeServer", in: "Seam/BridgeServer",
      [
        "BridgeCore", "BridgeRuntime", "Essentials", "HTTP1", "Sessions", "WebFiles", "WebServer", "Yams", httpTypes,
        log,
      ]),

    // Cluster
    module(
      "Cluster", in: "Cluster/Cluster",
      [
        "BridgeCore", "BridgeRuntime", "BridgeServer", "CLibpq", "Cryptography", "Essentials", "HTTP1", "Sessions",
        "WebServer", httpTypes, log,
      ]),

    // Site
    module("HTMLInjection", in: "Site/HTMLInjection", []),
    module("ContentDecoding", in: "Site/ContentDecoding", ["CBrotli", "CZlib", "CZstandard"]),
    module(
      "SiteServer", in: "Site/SiteServer",
      [
        "BridgeCore", "BridgeRuntime", "BridgeServer", "ContentDecoding", "CookieJar", "Cryptography", "CZlib",
        "Essentials", "HTMLInjection", "HTTP1", "Sessions", "WebFiles", "WebServer", httpTypes, log, deque,
      ]),

    // Bridges
    module("GBGBridge", in: "Bridges/GBG/Contract", ["BridgeCore", "BridgeRuntime"]),
    module("Today", in: "Bridges/Today/Contract", ["BridgeCore", "BridgeRuntime", "CookieJar", "Essentials", "HTTP1"]),
    module(
      "OnsideKit", in: "Bridges/Onside/Contract", ["BridgeCore", "BridgeRuntime", "Essentials", "InAppPurchases"]),
    bridge("Onside", ["Cryptography", "OnsideKit"]),
    bridge("Today", ["CookieJar", "Today"]),
    bridge("GBG", []),
    bridge("Declared", ["InAppPurchases", deque]),

    // Server
    module(
      "Footbridge", in: "Server/Footbridge",
      [
        "BridgeCore", "BridgeRuntime", "BridgeServer", "Cluster", "Cryptography", "DeclaredServer", "Essentials",
        "GBGServer", "HTTP1", "OnsideKit", "OnsideServer", "Sessions", "SiteServer", "Today", "TodayServer",
        "WebServer", "Yams", httpTypes, log, deque, lifecycle,
      ]),

    // Testing
    // Imports Testing, so nothing that is released may depend on it.
    module(
      "FootbridgeTesting", in: "Testing/FootbridgeTesting",
      ["BridgeCore", "BridgeRuntime", "Footbridge", "WebServer", log]),
    .executableTarget(
      name: "EchoServer", dependencies: ["Essentials", "WebServer", "BridgeRuntime", log],
      path: "Sources/Testing/EchoServer", swiftSettings: strict),

    // Command
    module(
      "ControlClient", in: "Command/ControlClient",
      ["BridgeCore", "BridgeRuntime", "Essentials", "HTTP1", "WebServer", httpTypes]),
    // Not "footbridge": beside "Footbridge" that name would collide where file names ignore case (macOS).
    .executableTarget(
      name: "FootbridgeCommand",
      dependencies: [
        .target(name: "EmptyICUData", condition: .when(platforms: [.linux])), "BridgeCore", "BridgeRuntime",
        "BridgeServer", "ControlClient", "Essentials", "Footbridge", "HTTP1", "OnsideKit", "OnsideServer",
        "Sessions", "SiteServer", "WebServer", httpTypes, log,
        .product(name: "ArgumentParser", package: "swift-argument-parser"), lifecycle,
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      path: "Sources/Command/FootbridgeCommand", swiftSettings: strict),

    // Tests
    // The example has a Package.swift of its own, for those who copy it; here its tests need not build Footbridge again.
    .executableTarget(
      name: "NFCReader",
      dependencies: [
        "BridgeCore", "BridgeRuntime", "Footbridge", log,
        lifecycle,
      ],
      path: "Examples/NFCReader/Sources/NFCReader",
      swiftSettings: strict
    ),
    .testTarget(
      name: "NFCReaderTests", dependencies: ["NFCReader", "BridgeCore", "FootbridgeTesting"],
      path: "Examples/NFCReader/Tests/NFCReaderTests", swiftSettings: strict),
    .testTarget(name: "HTMLInjectionTests", dependencies: ["HTMLInjection"], swiftSettings: strict),
    .testTarget(name: "ContentDecodingTests", dependencies: ["ContentDecoding"], swiftSettings: strict),
    .testTarget(name: "CryptographyTests", dependencies: ["Cryptography"], swiftSettings: strict),
    .testTarget(name: "HTTP1Tests", dependencies: ["HTTP1", "BridgeRuntime"], swiftSettings: strict),
    .testTarget(name: "BridgeRuntimeTests", dependencies: ["BridgeRuntime"], swiftSettings: strict),
    .testTarget(name: "BridgeCoreTests", dependencies: ["BridgeCore", "BridgeRuntime"], swiftSettings: strict),
    .testTarget(name: "CookieJarTests", dependencies: ["CookieJar"], swiftSettings: strict),
    tests("InAppPurchasesTests", ["BridgeCore", "InAppPurchases"]),
    tests("TodayTests", in: "Bridges/Today/TodayTests", ["Today", "BridgeCore", "BridgeRuntime", "CookieJar"]),
    // Both without the strict settings: host code is written against the references, where `any` is left out.
    .testTarget(
      name: "GBGReferenceTests", dependencies: ["GBGBridge"], path: "Tests/Bridges/GBG/GBGReferenceTests"),
    // The samples of the manual, which are host code too.
    .testTarget(
      name: "ManualTests",
      dependencies: [
        "BridgeCore", "BridgeRuntime", "Footbridge", "FootbridgeTesting", "GBGBridge", "OnsideKit", log,
      ]),
    .testTarget(
      name: "OnsideReferenceTests", dependencies: ["OnsideKit", "BridgeCore"],
      path: "Tests/Bridges/Onside/OnsideReferenceTests"),
    .testTarget(
      name: "OnsideKitTests",
      dependencies: ["OnsideKit", "BridgeCore", "BridgeRuntime", "InAppPurchases"],
      path: "Tests/Bridges/Onside/OnsideKitTests",
      resources: [.copy("Fixtures")],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ControlClientTests", dependencies: ["ControlClient", "BridgeCore", "Footbridge", "SiteServer"],
      swiftSettings: strict),
    // The parts of the command line that need no process. Tests/EndToEnd runs the program itself.
    .testTarget(
      name: "FootbridgeCommandTests",
      dependencies: [
        "FootbridgeCommand", "BridgeCore", "ControlClient", "Essentials", "Footbridge", "OnsideKit", "SiteServer",
        "WebServer", .product(name: "ArgumentParser", package: "swift-argument-parser"),
      ],
      swiftSettings: strict),
    .testTarget(
      name: "WebServerTests",
      dependencies: [
        "WebServer", "COpenSSL", "Cryptography", "HTTP1", "BridgeRuntime", httpTypes,
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FootbridgeTestingTests",
      dependencies: [
        "BridgeCore", "BridgeRuntime", "Footbridge", "FootbridgeTesting", "OnsideKit",
      ],
      swiftSettings: strict
    ),
    // A bridge from outside of the sources, with the public interface alone.
    .testTarget(
      name: "FourthBridgeTests",
      dependencies: ["BridgeCore", "BridgeRuntime", "Footbridge", "FootbridgeTesting"],
      swiftSettings: strict
    ),
    tests("DeliveryTests", ["BridgeCore", "Delivery"]),
    tests("SessionsTests", whole),
    tests("BridgeServerTests", whole),
    tests("ClusterTests", whole),
    tests("SiteServerTests", whole),
    tests("OnsideServerTests", in: "Bridges/Onside/OnsideServerTests", whole),
    tests("TodayServerTests", in: "Bridges/Today/TodayServerTests", whole),
    tests("GBGServerTests", in: "Bridges/GBG/GBGServerTests", whole),
    tests("DeclaredServerTests", in: "Bridges/Declared/DeclaredServerTests", whole),
    tests("FootbridgeTests", whole),
  ] + [fuzzing],
  swiftLanguageModes: [.v6]
)
