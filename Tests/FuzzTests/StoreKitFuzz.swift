import Foundation
import OnsideKit

/// StoreKit configurations: what is taken can be sold.
enum StoreKitFuzz {
  static func check(_ input: [UInt8]) throws {
    let configuration: StoreKitConfiguration
    do throws(StoreKitConfigurationError) {
      configuration = try StoreKitConfiguration(data: Data(input))
    } catch {
      return try FuzzFinding.unless(error.description.utf8.count < 4096, "A message that nobody reads.")
    }
    let products = configuration.catalogue.products
    try FuzzFinding.unless(Set(products.map(\.id)).count == products.count, "One product is there twice.")
    for product in products {
      try FuzzFinding.unless(!product.price.isNaN && product.price >= 0, "A price is none: \(product.price)")
    }
  }
}
