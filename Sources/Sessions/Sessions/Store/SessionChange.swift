public import BridgeRuntime
import Delivery

/// A change of one session that is to be stored, completely or not at all.
struct SessionChange: Sendable {
  /// The session's key.
  let key: String
  /// The record before this change; nil for the first change of a launch, which writes everything.
  let former: SessionRecord?
  /// The new record; nil deletes the session.
  let record: SessionRecord?
  /// The name of the world that the session shares with others. Changes of sessions of one world are stored together or not at all.
  var worldName: String? { (record ?? former)?.worldName }
  /// The fences of the session and of its world, which prove that this replica owns them; empty if no other server shares the store.
  var fences: [SessionFence] = []
  /// The keys for which a fence is needed: the session's, and its world's.
  var ownedKeys: [String] { [key] + (worldName.map { [SessionFence.key(ofWorld: $0)] } ?? []) }
  /// Whether the session is kept after its last page has ended.
  var isLasting = true
  /// Whether ``isLasting`` differs from the value in the store.
  var isLastingAnew = false
  /// The changes of pages: messages to them, and answers.
  var pages: [PageChange] = []
  /// The ids of pages that have ended.
  var endedPages: [String] = []
}

/// The differences between two states of a list. The store writes a row for each of them, and the journal an entry. So neither has to go
/// through the whole list. Inlinable, because a bridge's module compares its own types (make instructions, "purchase": a third).
@usableFromInline
package struct RowChanges<Element: StoreRow> {
  /// New and changed elements in order, each with its earlier value.
  @usableFromInline
  package let written: [(former: Element?, present: Element)]
  /// The ids of removed elements, in order.
  @usableFromInline
  package let removed: [String]

  /// Compares two states of the list. Older elements are usually the same in both, at the same index.
  @inlinable
  package init(from former: SharedList<Element>, to present: SharedList<Element>) {
    let same = former.countOfSame(as: present)
    if same == former.count {
      written = present[same...].map { (nil, $0) }
      removed = []
      return
    }
    if former.count == present.count, former[same].isSameRow(as: present[same]),
      former[(same + 1)...].elementsEqual(present[(same + 1)...])
    {
      // A change of one element is by far the most frequent one.
      written = [(former[same], present[same])]
      removed = []
      return
    }
    if former.count == present.count + 1, former[(same + 1)...].elementsEqual(present[same...]) {
      // One element was removed.
      written = []
      removed = [former[same].rowID]
      return
    }
    let formerByID = Dictionary(former[same...].map { ($0.rowID, $0) }, uniquingKeysWith: { $1 })
    written = present[same...].compactMap { element in
      let earlier = formerByID[element.rowID]
      return earlier == element ? nil : (earlier, element)
    }
    let left = Set(present[same...].map(\.rowID))
    removed = former[same...].map(\.rowID).filter { !left.contains($0) }
  }
}
