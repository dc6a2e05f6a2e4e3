/// How a list has changed of which a store keeps a row for each element, and the journal an entry for each change, so that neither need go
/// through all of them each time.
struct RowChanges<Element: Equatable> {
  /// New and changed elements, in their order.
  private(set) var written: [Element] = []
  /// The ids of elements that are gone.
  private(set) var removed: [String] = []

  /// Compares two states of the list. Elements of an older time are usually the same in both, at the same place.
  init(from former: [Element], to present: [Element], id: (Element) -> String) {
    let same = zip(former, present).prefix { $0 == $1 }.count
    let formerByID = Dictionary(former[same...].map { (id($0), $0) }, uniquingKeysWith: { $1 })
    var gone = Set(formerByID.keys)
    for element in present[same...] {
      let id = id(element)
      gone.remove(id)
      if formerByID[id] != element { written.append(element) }
    }
    removed = gone.sorted()
  }
}
