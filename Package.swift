// swift-tools-version: 6.0
import PackageDescription

let strict: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

let httpTypes = Target.Dependency.product(name: "HTTPTypes", package: "swift-http-types")
let log = Target.Dependency.product(name: "Logging", package: "swift-log")

let fuzzed: [Target.Dependency] = [
  "Footbridge", "FootbridgeTesting", "BridgeCore", "BridgeRuntime", "ContentDecoding", "ControlClient", "CookieJar",
  "HTTP1", "OnsideKit", "Sessions", "Today", "WebServer", httpTypes,
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
    .systemLibrary(
      name: "CLibwebsockets",
      pkgConfig: "libwebsockets",
      providers: [.apt(["libwebsockets-dev"]), .brew(["libwebsockets"])]
    ),
    .systemLibrary(
      name: "COpenSSL",
      pkgConfig: "openssl",
      providers: [.apt(["libssl-dev"]), .brew(["openssl@3"])]
    ),
    .systemLibrary(name: "CAllocator"),
    .systemLibrary(
      name: "CBrotli",
      pkgConfig: "libbrotlidec",
      providers: [.apt(["libbrotli-dev"]), .brew(["brotli"])]
    ),
    .systemLibrary(name: "CEpoll"),
    // Loaded when it is needed, so there is nothing to link.
    .systemLibrary(name: "CLibpq"),
    .systemLibrary(
      name: "CNghttp2",
      pkgConfig: "libnghttp2",
      providers: [.apt(["libnghttp2-dev"]), .brew(["libnghttp2"])]
    ),
    .systemLibrary(name: "CPlainText"),
    .systemLibrary(
      name: "CPublicSuffix",
      pkgConfig: "libpsl",
      providers: [.apt(["libpsl-dev"]), .brew(["libpsl"])]
    ),
    .systemLibrary(
      name: "CZlib",
      pkgConfig: "zlib",
      providers: [.apt(["zlib1g-dev"])]
    ),
    .systemLibrary(
      name: "CZstandard",
      pkgConfig: "libzstd",
      providers: [.apt(["libzstd-dev"]), .brew(["zstd"])]
    ),
    .target(
      name: "WebFiles", path: "web",
      exclude: ["api", "demo", "proxy", "sheets", "shim", "shim.d.ts", "tsconfig.json", "types", "workers"],
      sources: ["embedded.c"]),
    // For the program alone: a program that uses Footbridge as a library may need ICU's data.
    .target(name: "EmptyICUData"),
    .target(name: "Essentials", swiftSettings: strict),
    .target(name: "Cryptography", dependencies: ["COpenSSL", "Essentials"], swiftSettings: strict),
    .target(name: "HTTP1", dependencies: [httpTypes], swiftSettings: strict),
    .target(name: "HTMLInjection", swiftSettings: strict),
    .target(name: "ContentDecoding", dependencies: ["CBrotli", "CZlib", "CZstandard"], swiftSettings: strict),
    .target(name: "BridgeRuntime", dependencies: ["Essentials"], swiftSettings: strict),
    .target(
      name: "WebServer",
      dependencies: [
        .target(name: "CEpoll", condition: .when(platforms: [.linux])), "CLibwebsockets", "CNghttp2", "COpenSSL",
        "Cryptography", "Essentials", "HTTP1", "BridgeRuntime", httpTypes, log,
        .product(name: "HeapModule", package: "swift-collections"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "BridgeCore",
      dependencies: [
        "BridgeRuntime", "CPlainText", "Essentials", .product(name: "DequeModule", package: "swift-collections"),
      ],
      swiftSettings: strict),
    .target(name: "GBGBridge", dependencies: ["BridgeCore", "BridgeRuntime"], swiftSettings: strict),
    .target(name: "CookieJar", dependencies: ["CPublicSuffix", "Essentials"], swiftSettings: strict),
    .target(
      name: "Today", dependencies: ["BridgeCore", "BridgeRuntime", "CookieJar", "Essentials", "HTTP1"],
      swiftSettings: strict
    ),
    .target(name: "OnsideKit", dependencies: ["BridgeCore", "BridgeRuntime", "Essentials"], swiftSettings: strict),
    .target(
      name: "Sessions",
      dependencies: [
        "BridgeCore", "BridgeRuntime", "CLibpq", "CookieJar", "Cryptography", "Essentials", "HTTP1", "OnsideKit",
        "Today", "WebServer", httpTypes, log,
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "GRDBSQLite", package: "GRDB.swift"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "Footbridge",
      dependencies: [
        "BridgeCore", "BridgeRuntime", "ContentDecoding", "CookieJar", "Cryptography", "CZlib", "Essentials",
        "HTMLInjection", "HTTP1",
        "OnsideKit", "Sessions", "Today", "WebFiles", "WebServer", "Yams", httpTypes, log,
        .product(name: "DequeModule", package: "swift-collections"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict
    ),
    .target(
      name: "ControlClient",
      dependencies: ["BridgeCore", "BridgeRuntime", "Essentials", "HTTP1", "WebServer", httpTypes],
      swiftSettings: strict),
    // Imports Testing, so nothing that is released may depend on it.
    .target(
      name: "FootbridgeTesting",
      dependencies: ["BridgeCore", "BridgeRuntime", "Footbridge", "WebServer", log],
      swiftSettings: strict
    ),
    // Not "footbridge": beside "Footbridge" that name would collide where file names ignore case (macOS).
    .executableTarget(
      name: "FootbridgeCommand",
      dependencies: [
        .target(name: "EmptyICUData", condition: .when(platforms: [.linux])), "BridgeCore", "BridgeRuntime",
        "CAllocator", "ControlClient", "Essentials", "Footbridge", "HTTP1", "OnsideKit", "WebServer", httpTypes, log,
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
        .product(name: "UnixSignals", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict
    ),
    .executableTarget(
      name: "EchoServer", dependencies: ["Essentials", "WebServer", "BridgeRuntime", log], swiftSettings: strict),
    // The example has a Package.swift of its own, for those who copy it; here its tests need not build Footbridge again.
    .executableTarget(
      name: "NFCReader",
      dependencies: [
        "BridgeCore", "BridgeRuntime", "Footbridge", log,
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
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
    .testTarget(
      name: "TodayTests", dependencies: ["Today", "BridgeCore", "BridgeRuntime", "CookieJar"], swiftSettings: strict
    ),
    // Both without the strict settings: host code is written against the references, where `any` is left out.
    .testTarget(name: "GBGReferenceTests", dependencies: ["GBGBridge"]),
    // The samples of the manual, which are host code too.
    .testTarget(
      name: "ManualTests",
      dependencies: [
        "BridgeCore", "BridgeRuntime", "Footbridge", "FootbridgeTesting", "GBGBridge", "OnsideKit", log,
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]),
    .testTarget(name: "OnsideReferenceTests", dependencies: ["OnsideKit", "BridgeCore"]),
    .testTarget(
      name: "OnsideKitTests",
      dependencies: ["OnsideKit", "BridgeCore", "BridgeRuntime"],
      resources: [.copy("Fixtures")],
      swiftSettings: strict
    ),
    .testTarget(
      name: "ControlClientTests", dependencies: ["ControlClient", "BridgeCore", "Footbridge"], swiftSettings: strict),
    // The parts of the command line that need no process. Tests/EndToEnd runs the program itself.
    .testTarget(
      name: "FootbridgeCommandTests",
      dependencies: [
        "FootbridgeCommand", "BridgeCore", "ControlClient", "Essentials", "Footbridge", "OnsideKit", "WebServer",
        .product(name: "ArgumentParser", package: "swift-argument-parser"),
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
    .testTarget(
      name: "SessionsTests",
      dependencies: [
        "COpenSSL", "Cryptography", "Footbridge", "FootbridgeTesting", "BridgeCore", "BridgeRuntime", "CookieJar",
        "HTTP1", "OnsideKit", "Sessions", "Today", "WebServer", httpTypes, log,
        .product(name: "GRDB", package: "GRDB.swift"),
      ],
      swiftSettings: strict
    ),
    .testTarget(
      name: "FootbridgeTests",
      dependencies: [
        "COpenSSL", "Cryptography", "Footbridge", "FootbridgeTesting", "BridgeCore", "BridgeRuntime", "CookieJar",
        "HTMLInjection", "HTTP1", "OnsideKit", "Sessions", "Today", "WebServer", httpTypes,
        .product(name: "GRDB", package: "GRDB.swift"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ],
      swiftSettings: strict
    ),
  ] + [fuzzing],
  swiftLanguageModes: [.v6]
)
