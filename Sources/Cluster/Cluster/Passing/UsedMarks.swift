/// Which of all marks on requests one is: `SENDER/NUMBER`. A sender numbers its marks from 1.
struct MarkSerial: Sendable, Hashable, CustomStringConvertible {
  /// A random id of the sender, which is new after each start.
  let sender: String
  let number: Int

  init(sender: String, number: Int) {
    self.sender = sender
    self.number = number
  }

  /// Reads a serial; nil for anything else.
  init?(_ text: String) {
    let parts = text.split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count == 2, !parts[0].isEmpty, let number = Int(parts[1]), number > 0 else { return nil }
    self.init(sender: String(parts[0]), number: number)
  }

  var description: String { "\(sender)/\(number)" }
}

/// The marks that have come, so that each counts once. A pure value.
///
/// The marks of a sender come nearly in order, by several connections. Some never come. So those above the first gap are remembered one by
/// one, and when they are too many, the oldest gaps are closed: a mark that comes so late is refused.
struct UsedMarks {
  private struct Sender {
    /// All marks up to this number have come, or count no longer.
    var floor = 0
    /// Those above it that have come.
    var numbers: Set<Int> = []

    /// Notes a mark. Returns false if it has come before, or counts no longer.
    mutating func use(_ number: Int) -> Bool {
      guard number > floor, numbers.insert(number).inserted else { return false }
      while numbers.remove(floor + 1) != nil { floor += 1 }
      if numbers.count > UsedMarks.numberLimit {
        floor = numbers.sorted()[numbers.count / 2]
        numbers = numbers.filter { $0 > floor }
      }
      return true
    }
  }

  /// How many marks above a gap are remembered for a sender.
  static let numberLimit = 100_000
  /// How many senders are remembered. Only the replicas' key makes one.
  static let senderLimit = 1_000

  private var senders: [String: Sender] = [:]
  private var order: [String] = []

  init() {}

  /// Notes a mark. Returns false if it has come before.
  mutating func use(_ serial: MarkSerial) -> Bool {
    if senders[serial.sender] == nil {
      if order.count >= Self.senderLimit { senders[order.removeFirst()] = nil }
      order.append(serial.sender)
    }
    return senders[serial.sender, default: Sender()].use(serial.number)
  }
}
