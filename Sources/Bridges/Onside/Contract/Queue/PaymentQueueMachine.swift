import BridgeRuntime

/// The payment queue as a pure state machine: its transactions, the one being processed, and what observers receive.
///
/// Without an observer the queue notifies nobody and starts nothing. The first observer receives what has accumulated (purchasing guide, "How
/// the Queue Works"). Transactions are processed one at a time, in the order in which they arrived. A payment that was approved later waits
/// for nobody. The order is ours.
struct PaymentQueueMachine {
  /// What the owner does, in this order.
  enum Action: Equatable {
    /// Notify observers of new transactions or states.
    case updated([OnsidePaymentTransaction])
    /// Notify observers that transactions left the queue.
    case removed([OnsidePaymentTransaction])
    /// Start processing this transaction, or complete it if an earlier launch sent its payment.
    case process(id: UUID)
    /// Stop the work on this transaction, and close its sheet.
    case stop(id: UUID)
  }

  private(set) var entries: SharedList<QueuedTransaction>
  private(set) var isPaused = true
  private var processing: UUID?
  /// The approved payments that are completed beside the one that is processed.
  private var completing: Set<UUID> = []

  /// Takes over the transactions of an earlier launch.
  init(carriedOver entries: SharedList<QueuedTransaction> = [], storefront: OnsideStorefront? = nil) {
    // A transaction that was finished leaves with its launch, even if its completion was not done.
    self.entries = entries.filter { $0.stage != .finishing }
    for index in self.entries.indices { self.entries[index].carryOver(storefront: storefront) }
  }

  subscript(id: UUID) -> QueuedTransaction? { index(of: id).map { entries[$0] } }

  /// The first observer was added.
  mutating func resume() -> [Action] {
    guard isPaused else { return [] }
    isPaused = false
    return advance()
  }

  /// The last observer was removed. Work in progress continues; nobody is notified.
  mutating func pause() {
    isPaused = true
  }

  /// Adds a transaction at the end.
  mutating func add(_ entry: QueuedTransaction) -> [Action] {
    entries.append(entry)
    return advance()
  }

  /// Moves a transaction one step on. `step` returns whether the step is possible.
  ///
  /// - Returns: The actions, or nil if there is no such transaction or the step is impossible.
  mutating func step(_ id: UUID, _ step: (inout QueuedTransaction) -> Bool) -> [Action]? {
    guard let index = index(of: id), step(&entries[index]) else { return nil }
    switch entries[index].stage {
    case .awaitingApproval, .interrupted, .ended:
      // A transaction that waits for somebody else does not block the others.
      stopWork(on: id)
    case .queued, .processing, .paying, .finishing: break
    }
    return advance()
  }

  /// The app finishes a transaction. Nil if there is none with this id.
  mutating func finish(_ id: UUID) -> (finish: QueuedTransaction.FinishAction, actions: [Action])? {
    guard let index = index(of: id) else { return nil }
    let finish = entries[index].finish()
    return (finish, finish == .removeNow ? remove(id) : [])
  }

  /// Removes a transaction from the queue.
  mutating func remove(_ id: UUID) -> [Action] {
    guard let index = index(of: id) else { return [] }
    let removed = entries.remove(at: index)
    var actions: [Action] = removed.stage == .ended || removed.stage == .finishing ? [] : [.stop(id: id)]
    stopWork(on: id)
    actions.append(.removed([removed.transaction]))
    return actions + advance()
  }

  /// Restores an earlier list of transactions, and pauses. The work on transactions that have changed or left since must stop; those that
  /// are in the list again are processed again later.
  ///
  /// - Returns: The ids of those transactions.
  mutating func rollBack(to earlier: SharedList<QueuedTransaction>) -> [UUID] {
    isPaused = true
    let moved = entries.filter { !earlier.containsSame($0) } + earlier.filter { !entries.containsSame($0) }
    entries = earlier
    for id in moved.map(\.transaction.id) {
      stopWork(on: id)
      if let index = index(of: id) { entries[index].startOver() }
    }
    return moved.map(\.transaction.id)
  }

  private mutating func stopWork(on id: UUID) {
    if processing == id { processing = nil }
    completing.remove(id)
  }

  private func index(of id: UUID) -> Int? { entries.firstIndex { $0.transaction.id == id } }

  private var firstWaiting: Int? {
    entries.firstIndex(whereShared: {
      $0.wrappedValue.stage == .queued
        || ($0.wrappedValue.stage == .paying && !completing.contains($0.wrappedValue.transaction.id))
    })
  }

  /// Notifies observers of changes and starts the next transaction.
  private mutating func advance() -> [Action] {
    if isPaused { return [] }
    var actions: [Action] = []
    let news = entries.indices { $0.needsAnnouncement }
    if !news.isEmpty {
      for index in news { entries[index].needsAnnouncement = false }
      actions.append(.updated(news.map { entries[$0].transaction }))
    }
    if processing == nil, let index = firstWaiting {
      _ = entries[index].begin()
      processing = entries[index].transaction.id
      actions.append(.process(id: entries[index].transaction.id))
    }
    // The one that is processed may have a sheet open, for as long as it likes.
    for index in entries.indices(whereShared: { $0.wrappedValue.stage == .paying }) {
      let id = entries[index].transaction.id
      if id != processing, completing.insert(id).inserted { actions.append(.process(id: id)) }
    }
    return actions
  }
}

extension SharedList<QueuedTransaction> {
  /// Whether a transaction is here in the same stage.
  fileprivate func containsSame(_ entry: QueuedTransaction) -> Bool {
    contains { $0.transaction.id == entry.transaction.id && $0.stage == entry.stage }
  }
}
