package import OnsideKit
package import Sessions

/// The options of Onside. They are older than its section of `footbridge.yaml`, and stay for the people who use them.
package enum OnsideOptions {
  package static let all: [ServerOption] = [.catalog, .onsideContract]

  /// Applies the contract. The command reads the catalogue, which is a file of its own.
  ///
  /// - Throws: `OptionError` for an unknown contract.
  package static func apply(_ values: OptionValues, to configuration: inout OnsideConfiguration) throws(OptionError) {
    if let contract: OnsideContract = try values.choice(.onsideContract) { configuration.settings.contract = contract }
  }
}

extension ServerOption {
  package static let catalog = ServerOption(
    "catalog", .pathOfInput, "file.storekit", help: "The products: a StoreKit configuration file from Xcode.")
  package static let onsideContract = ServerOption(
    "onsideContract", .text, "version",
    help: "The published contract of window.onside to follow: docs or 1.3. (default: docs)")
}
