import OnsideKit

/// What is bought in a purchase or transaction that is made beforehand, and who buys it.
struct SeededProduct: Sendable {
  /// The product's identifier.
  let identifier: String
  /// The account's id; nil is whoever is signed in, or else the first account.
  let account: String?
  private let place: String

  /// Reads `product` and `account` among the members of `node`.
  init(_ members: [String: YAMLNode], of node: YAMLNode) throws(OptionError) {
    guard let product = try members["product"]?.text() else { throw node.expected("an object with at least a product") }
    identifier = product
    account = try members["account"]?.text()
    place = node.place
  }

  /// Who buys, of these accounts. Throws when there is no such account, or the product is not sold in its country.
  func buyer(
    among accounts: [OnsideAccount],
    signedIn: String?,
    in configuration: OnsideConfiguration
  ) throws(OptionError) -> String {
    let id = account ?? signedIn ?? accounts.first?.id
    guard let buyer = accounts.first(where: { $0.id == id }) else {
      throw OptionError("\(place) must be for one of the accounts: \(accounts.map(\.id).joined(separator: ", ")).")
    }
    guard configuration.sells(identifier, in: buyer.countryCode) else { throw notSold }
    return buyer.id
  }

  /// The product cannot be bought.
  var notSold: OptionError {
    OptionError("\(place) must be for a product that is sold in the account's country: \(identifier) is not.")
  }
}
