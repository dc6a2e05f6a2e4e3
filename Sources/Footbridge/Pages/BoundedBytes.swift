/// Texts in the order in which they came, found by key; the oldest make room for new ones.
struct BoundedBytes<Key: Hashable> {
  private var order: [Key] = []
  private var first = 0
  private var textByKey: [Key: [UInt8]] = [:]
  private var byteCount = 0

  subscript(key: Key) -> [UInt8]? { textByKey[key] }

  /// The keys of the texts.
  var keys: some Sequence<Key> { textByKey.keys }

  /// The key of the oldest text.
  var oldestKey: Key? { order[first...].first { textByKey[$0] != nil } }

  /// The texts with their keys, oldest first.
  var pairs: [(key: Key, text: [UInt8])] { order[first...].compactMap { key in textByKey[key].map { (key, $0) } } }

  mutating func append(_ text: [UInt8], for key: Key) {
    byteCount += text.count
    if let earlier = textByKey.updateValue(text, forKey: key) {
      byteCount -= earlier.count
    } else {
      order.append(key)
    }
    while order.count - first > PageDelivery.messageLimit
      || (byteCount > PageDelivery.byteLimit && order.count - first > 1)
    {
      drop(order[first])
      first += 1
    }
    compact()
  }

  mutating func removeAll(where isDone: (Key) -> Bool) {
    for key in order[first...] where isDone(key) { drop(key) }
    order = order[first...].filter { !isDone($0) }
    first = 0
  }

  mutating func remove(_ key: Key) {
    if textByKey[key] != nil { removeAll { $0 == key } }
  }

  private mutating func drop(_ key: Key) {
    byteCount -= textByKey.removeValue(forKey: key)?.count ?? 0
  }

  /// Takes off what is behind `first` once it is the larger part, so that each key is moved at most about once.
  private mutating func compact() {
    guard first > 64, first > order.count / 2 else { return }
    order.removeFirst(first)
    first = 0
  }
}
