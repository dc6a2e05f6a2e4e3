import BridgeRuntime

/// How a list has changed of which a store keeps a row for each element, and the journal an entry for each change, so that neither need go
/// through all of them each time.
struct RowChanges<Element: StoreRow> {
  /// New and changed elements, in their order, each with what it was.
  private(set) var written: [(former: Element?, present: Element)] = []
  /// The ids of elements that are gone, in their order.
  private(set) var removed: [String] = []

  /// Compares two states of the list. Elements of an older time are usually the same in both, at the same place.
  init(from former: SharedList<Element>, to present: SharedList<Element>) {
    let same = former.countOfSame(as: present)
    if same == former.count {
      written = present[same...].map { (nil, $0) }
      return
    }
    let formerByID = Dictionary(former[same...].map { ($0.rowID, $0) }, uniquingKeysWith: { $1 })
    for element in present[same...] {
      let earlier = formerByID[element.rowID]
      if earlier != element { written.append((earlier, element)) }
    }
    let left = Set(present[same...].map(\.rowID))
    removed = former[same...].map(\.rowID).filter { !left.contains($0) }
  }
}
