extension YAMLNode {
  /// The id of one of `accounts`.
  func accountID(among accounts: [String]) throws(OptionError) -> String {
    let id = try text()
    guard accounts.contains(id) else {
      throw expected("the id of an account, one of: \(accounts.joined(separator: ", "))")
    }
    return id
  }
}
