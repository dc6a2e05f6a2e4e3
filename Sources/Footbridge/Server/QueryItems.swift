/// The items of a query of ours, whose values need no escapes.
struct QueryItems {
  private var valueByName: [Substring: Substring] = [:]

  init(_ query: String?) {
    for item in (query ?? "").split(separator: "&") {
      let parts = item.split(separator: "=", maxSplits: 1)
      if parts.count == 2 { valueByName[parts[0]] = parts[1] }
    }
  }

  subscript(name: Substring) -> String? { valueByName[name].map(String.init) }
}
