// swift-tools-version: 6.0
import PackageDescription

let package = Package(
  name: "NFCReader",
  platforms: [.macOS(.v15)],
  dependencies: [
    // In a copy of this folder, write the path of your clone of Footbridge here, or `url:` with the address of its repository.
    .package(name: "footbridge", path: "../.."),
    .package(url: "https://github.com/apple/swift-log", from: "1.16.0"),
    .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
  ],
  targets: [
    .executableTarget(
      name: "NFCReader",
      dependencies: [
        .product(name: "BridgeCore", package: "footbridge"),
        .product(name: "BridgeRuntime", package: "footbridge"),
        .product(name: "Footbridge", package: "footbridge"),
        .product(name: "Logging", package: "swift-log"),
        .product(name: "ServiceLifecycle", package: "swift-service-lifecycle"),
      ]
    ),
    .testTarget(
      name: "NFCReaderTests",
      dependencies: [
        "NFCReader",
        .product(name: "BridgeCore", package: "footbridge"),
        .product(name: "FootbridgeTesting", package: "footbridge"),
      ]
    ),
  ],
  swiftLanguageModes: [.v6]
)
