import OnsideKit

/// What is there before a test begins.
extension Session {
  /// Who buys a product beforehand. Throws when there is no such account, or it cannot buy the product.
  func buyer(of product: SeededProduct) throws(OptionError) -> String {
    try product.buyer(among: onside.accounts, signedIn: onside.account?.id, in: options.wrappedValue.onside)
  }
}
