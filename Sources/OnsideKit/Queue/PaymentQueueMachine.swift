import BridgeRuntime

/// The payment queue as a pure state machine: what it holds, whose turn it is, and what observers are to hear.
///
/// Without an observer nothing is told and nothing is started; the first one releases what has gathered (purchasing guide, "How the
/// Queue Works"). Transactions are processed one after another, in the order in which they came; the order is ours.
struct PaymentQueueMachine {
  /// What the owner has to do, in this order.
  enum Action: Equatable {
    /// Tell observers of new transactions or states.
    case updated([OnsidePaymentTransaction])
    /// Tell observers that transactions left the queue.
    case removed([OnsidePaymentTransaction])
    /// Start processing this transaction, or settling one whose payment an earlier launch sent.
    case process(id: UUID)
    /// Stop whatever is being done for this transaction, and take its sheet away.
    case stop(id: UUID)
  }

  private(set) var entries: SharedList<QueuedTransaction>
  private(set) var isPaused = true
  private var processing: UUID?

  /// Takes over the transactions of an earlier launch.
  init(carriedOver entries: SharedList<QueuedTransaction> = [], storefront: OnsideStorefront? = nil) {
    // One that was finished before its completion was done is gone by now.
    self.entries = entries.filter { $0.stage != .finishing }
    for index in self.entries.indices { self.entries[index].carryOver(storefront: storefront) }
  }

  subscript(id: UUID) -> QueuedTransaction? { index(of: id).map { entries[$0] } }

  /// The first observer is there.
  mutating func resume() -> [Action] {
    guard isPaused else { return [] }
    isPaused = false
    return advance()
  }

  /// The last observer is gone. What is under way goes on; nothing is told.
  mutating func pause() {
    isPaused = true
  }

  /// Adds a transaction at the end.
  mutating func add(_ entry: QueuedTransaction) -> [Action] {
    entries.append(entry)
    return advance()
  }

  /// Changes a transaction by one step of its life; `step` says whether the step was possible.
  ///
  /// - Returns: nil when there is no such transaction or the step was impossible.
  mutating func step(_ id: UUID, _ step: (inout QueuedTransaction) -> Bool) -> [Action]? {
    guard let index = index(of: id), step(&entries[index]) else { return nil }
    switch entries[index].stage {
    case .awaitingApproval, .interrupted, .ended:
      // Whoever waits for someone outside does not hold up the others.
      if processing == id { processing = nil }
    case .queued, .processing, .paying, .finishing: break
    }
    return advance()
  }

  /// The app finishes a transaction. Nil when there is none with this id.
  mutating func finish(_ id: UUID) -> (finish: QueuedTransaction.FinishAction, actions: [Action])? {
    guard let index = index(of: id) else { return nil }
    let finish = entries[index].finish()
    return (finish, finish == .removeNow ? remove(id) : [])
  }

  /// Takes a transaction out of the queue.
  mutating func remove(_ id: UUID) -> [Action] {
    guard let index = index(of: id) else { return [] }
    let removed = entries.remove(at: index)
    var actions: [Action] = removed.stage == .ended || removed.stage == .finishing ? [] : [.stop(id: id)]
    if processing == id { processing = nil }
    actions.append(.removed([removed.transaction]))
    return actions + advance()
  }

  /// Goes back to transactions as they were, and stands still. Whatever is being done for those that have moved on since is to be stopped;
  /// their turn comes again.
  ///
  /// - Returns: the ids of those.
  mutating func rollBack(to earlier: SharedList<QueuedTransaction>) -> [UUID] {
    isPaused = true
    let moved = entries.filter { entry in
      !earlier.contains { $0.transaction.id == entry.transaction.id && $0.stage == entry.stage }
    }.map(\.transaction.id)
    entries = earlier
    for id in moved {
      if processing == id { processing = nil }
      if let index = index(of: id) { entries[index].startOver() }
    }
    return moved
  }

  private func index(of id: UUID) -> Int? { entries.firstIndex { $0.transaction.id == id } }

  /// Tells what is to be told and starts what can start.
  private mutating func advance() -> [Action] {
    if isPaused { return [] }
    var actions: [Action] = []
    let news = entries.indices { $0.needsAnnouncement }
    if !news.isEmpty {
      for index in news { entries[index].needsAnnouncement = false }
      actions.append(.updated(news.map { entries[$0].transaction }))
    }
    if processing == nil, let index = entries.firstIndex(where: { $0.stage == .queued || $0.stage == .paying }) {
      _ = entries[index].begin()
      processing = entries[index].transaction.id
      actions.append(.process(id: entries[index].transaction.id))
    }
    return actions
  }
}
