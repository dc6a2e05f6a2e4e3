import OnsideServer
import ArgumentParser
import Footbridge
import Logging
import OnsideKit

/// The options of OnsideKit.
struct OnsideServeOptions: ParsableArguments {
  @Option(
    name: .of(.catalog),
    help: ArgumentHelp("The products: a StoreKit configuration file from Xcode.", valueName: "file.storekit"))
  var catalog: String?

  @Option(
    name: .of(.onsideContract),
    help: ArgumentHelp(
      "The published contract of window.onside to follow: docs or 1.3. (default: docs)", valueName: "version"))
  var onsideContract: String?

  /// The value of one of these options; nil if its flag was not given.
  func value(of option: ServerOption) -> String? {
    switch option {
    case .catalog: catalog
    case .onsideContract: onsideContract
    default: nil
    }
  }

  /// Reads the catalogue that an option names. Without one, a server that has no site sells the products of the demo.
  ///
  /// - Throws: ``Failure`` if the file cannot be read or is wrong.
  func readCatalogue(into options: inout FootbridgeOptions, _ sources: OptionSources, _ logger: Logger) throws {
    if let (path, _) = sources[.catalog] {
      let name = sources.origin(of: path) + path
      let file = try StoreKitFile.read(path, named: name)
      for remark in file.remarks { logger.warning("\(name): \(remark)") }
      options.onside = OnsideConfiguration(file)
    } else if options.root == nil, options.proxy == nil, options.sites.isEmpty {
      options.onside = try Self.demoConfiguration()
    }
  }

  private static func demoConfiguration() throws -> OnsideConfiguration {
    do {
      return OnsideConfiguration(try Demo.storeKitConfiguration())
    } catch {
      throw Failure.software("The demo's catalogue is broken: \(error).")
    }
  }
}
