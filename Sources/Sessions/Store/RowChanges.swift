import BridgeRuntime

/// The changes of a list. The store keeps a row for each element, and the journal an entry for each change. So neither has to go through
/// the whole list.
struct RowChanges<Element: StoreRow> {
  /// New and changed elements in order, each with its earlier value.
  private(set) var written: [(former: Element?, present: Element)] = []
  /// The ids of removed elements, in order.
  private(set) var removed: [String] = []

  /// Compares two states of the list. Older elements are usually the same in both, at the same index.
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
