/// The items of a query to one of our routes. Their values need no escapes.
struct QueryItems {
  private var items: [(name: Substring, value: Substring)] = []

  init(_ query: String?) {
    for item in (query ?? "").utf8.split(separator: UInt8(ascii: "&")) {
      let parts = item.split(separator: UInt8(ascii: "="), maxSplits: 1)
      if parts.count == 2 { items.append((Substring(parts[0]), Substring(parts[1]))) }
    }
  }

  subscript(name: Substring) -> String? { items.last { $0.name == name }.map { String($0.value) } }
}
