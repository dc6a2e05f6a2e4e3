import ArgumentParser
import Footbridge
import Logging
import OnsideKit
import OnsideServer

/// `footbridge catalog`
struct Catalog: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog",
    abstract: "Check a StoreKit configuration file and print its products.")

  @Argument(help: ArgumentHelp("The file.", valueName: "file.storekit"))
  var file: String

  func run() async throws {
    try await Terminal.run {
      let configuration = try StoreKitFile.read(file)
      for line in CatalogueTable(configuration).lines { try Terminal.print(line) }
      for remark in configuration.remarks { Terminal.printError("\(file): \(remark)") }
    }
  }
}

/// A catalogue as a table.
struct CatalogueTable {
  /// The table's lines, the heading first.
  let lines: [String]

  init(_ configuration: StoreKitConfiguration) {
    let currency = configuration.settings.storefront?.currencyCode
    let heading = ["Product", "Type", currency.map { "Price in \($0)" } ?? "Price", "Period", "Title", "Offers"]
    let rows = configuration.catalogue.products.map { product in
      [
        product.id,
        product.type.rawValue,
        "\(product.price)",
        product.subscription?.period.iso8601 ?? "",
        product.localization(for: nil, fallbackLocale: configuration.settings.locale ?? "en_US")?.displayName
          ?? product.referenceName ?? "",
        product.subscription.map(Self.offers) ?? "",
      ]
    }
    lines = TextTable(heading, rows).lines
  }

  /// The offers of a subscription, such as `introductory 1.99 for each of 3 × P1M`.
  private static func offers(of subscription: CatalogueSubscription) -> String {
    let offers =
      [("introductory", subscription.introductoryOffer)]
      + subscription.promotionalOffers.map { ($0.offerID ?? "promotional", $0) }
      + subscription.winBackOffers.map { ($0.offerID ?? "win-back", $0) }
    return offers.compactMap { name, offer in offer.map { "\(name) \(terms(of: $0))" } }.joined(separator: "; ")
  }

  private static func terms(of offer: CatalogueOffer) -> String {
    switch offer.paymentMode {
    case .free: "free for \(offer.duration.iso8601)"
    case .payUpFront: "\(offer.price) for \(offer.duration.iso8601)"
    case .payAsYouGo: "\(offer.price) for each of \(offer.numberOfPeriods) × \(offer.period.iso8601)"
    }
  }
}

/// Reads `.storekit` files that a flag names.
enum StoreKitFile {
  /// Reads the file. An error names the file (as `name`), the place in it, and what was expected.
  static func read(_ path: String, named name: String? = nil) throws -> StoreKitConfiguration {
    let name = name ?? path
    let data = try InputFile.read(path, named: name)
    do throws(StoreKitConfigurationError) {
      return try StoreKitConfiguration(data: data)
    } catch {
      throw Failure.data("\(name): \(error)")
    }
  }

  /// Reads the catalogue that an option names. Without one, a server that has no site sells the products of the demo.
  ///
  /// - Throws: ``Failure`` if the file cannot be read or is wrong.
  static func readCatalogue(into options: inout FootbridgeOptions, _ sources: OptionSources, _ logger: Logger) throws {
    if let (path, _) = sources[.catalog] {
      let name = sources.origin(of: path) + path
      let file = try read(path, named: name)
      for remark in file.remarks { logger.warning("\(name): \(remark)") }
      options.onside = OnsideConfiguration(file)
    } else if options.root == nil, options.proxy == nil, options.sites.isEmpty {
      options.onside = try demoConfiguration()
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
