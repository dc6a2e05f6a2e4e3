/// The items of a query of ours, whose values need no escapes.
struct QueryItems {
  private var valueByName: [Substring: Substring] = [:]

  init(_ query: String?) {
    for item in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
      let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1)
      if parts.count == 2 { valueByName[Substring(parts[0])] = Substring(parts[1]) }
    }
  }

  subscript(name: Substring) -> String? { valueByName[name].map(String.init) }
}
