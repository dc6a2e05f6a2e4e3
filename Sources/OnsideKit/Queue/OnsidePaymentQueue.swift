import BridgeCore
public import BridgeRuntime

/// The launch's payment queue (purchasing guide). It stands still until an observer is added.
@BridgeActor
public final class OnsidePaymentQueue {
  /// Decides whether transactions go on; without one they do.
  public weak var delegate: (any OnsidePaymentQueueDelegate)?

  let launch: OnsideLaunch
  var machine: PaymentQueueMachine {
    didSet { transactionsText = nil }
  }
  private(set) var observers: [any OnsidePaymentTransactionObserver] = []
  /// The text of the answer to `getTransactions`, until the queue changes: pages ask again and again.
  private var transactionsText: [UInt8]?
  private var tasks: [String: Task<Void, Never>] = [:]
  var restores: [OnsideRestore] = []
  /// What was decided on purpose about payments that are under way, by their transactions; nil where nothing was.
  private var outcomes: [String: OnsideOutcome?] = [:]

  init(launch: OnsideLaunch) {
    self.launch = launch
    machine = PaymentQueueMachine(carriedOver: launch.state.transactions, storefront: launch.storefront)
    launch.storefrontDidChange = { [weak self] in self?.storefrontDidChange(to: $0) }
    launch.accountDidChange = { [weak self] in self?.cancelOthersPayments() }
  }

  func terminate() {
    observers = []
    machine.pause()
    for task in tasks.values { task.cancel() }
    tasks = [:]
    for restore in restores { restore.task?.cancel() }
    restores = []
  }

  // MARK: Observers

  /// Adds an observer; the first one sets the queue going, unfinished transactions of earlier launches first.
  public func add(_ observer: any OnsidePaymentTransactionObserver) {
    guard !observers.contains(where: { $0 === observer }) else { return }
    observers.append(observer)
    perform(machine.resume())
    for restore in restores { start(restore) }
  }

  /// Removes an observer; without the last one the queue stands still.
  public func remove(_ observer: any OnsidePaymentTransactionObserver) {
    observers.removeAll { $0 === observer }
    if observers.isEmpty { machine.pause() }
  }

  // MARK: State

  /// The selected storefront; nil until someone signs in.
  public var storefront: OnsideStorefront? { launch.storefront }

  /// The transactions that are alive, oldest first.
  public var transactions: [OnsidePaymentTransaction] { machine.entries.map(\.transaction) }

  /// What `getTransactions` answers, as JSON text.
  func transactionsAnswer() -> [UInt8] {
    if let transactionsText { return transactionsText }
    let text = transactions.membersText
    transactionsText = text
    return text
  }

  /// The transactions that are alive, oldest first, with what they wait for.
  public var entries: SharedList<QueuedTransaction> { machine.entries }

  /// The transactions that wait for ``approve(_:)`` or ``decline(_:)``.
  public var transactionsAwaitingApproval: [OnsidePaymentTransaction] {
    machine.entries.filter { $0.stage == .awaitingApproval }.map(\.transaction)
  }

  /// The transactions that wait for ``resolveInterruption(of:successfully:)``.
  public var interruptedTransactions: [OnsidePaymentTransaction] {
    machine.entries.filter { $0.stage == .interrupted }.map(\.transaction)
  }

  /// A transaction and how far it has come.
  func entry(_ id: String) -> QueuedTransaction? { machine[id] }

  // MARK: Buying

  /// Adds a payment, after a login when nobody is signed in.
  ///
  /// - Throws: ``OnsidePaymentQueueAddProductError``; then there is no transaction.
  public func add(_ payment: OnsidePayment) async throws(OnsidePaymentQueueAddProductError) {
    let isLoginNeeded = launch.state.account == nil
    guard await launch.signIn(), let transaction = makeTransaction(payment) else { throw .loginDiscarded }
    if isLoginNeeded, !(await goesOnAfterLogin(transaction)) { throw .rejectedAfterLogin }
    enqueue(transaction)
  }

  /// A new transaction in the present storefront; nil when nobody is signed in.
  func makeTransaction(_ payment: OnsidePayment) -> OnsidePaymentTransaction? {
    guard let storefront = launch.storefront else { return nil }
    return OnsidePaymentTransaction(
      id: launch.random.uuid(), payment: payment, transactionState: .purchasing, storefront: storefront)
  }

  /// Whether the app is asked if a purchase that had to log the person in enters the queue; contract "docs" does not ask.
  var asksAfterLogin: Bool { launch.state.settings.contract == .version1_3 && delegate != nil }

  /// Whether a purchase that had to log the person in enters the queue.
  func goesOnAfterLogin(_ transaction: OnsidePaymentTransaction) async -> Bool {
    guard asksAfterLogin, let delegate else { return true }
    return await delegate.onsidePaymentQueue(self, shouldContinueAfterLogin: transaction)
  }

  /// Puts a transaction into the queue. Nothing happens when its account was signed out meanwhile.
  func enqueue(_ transaction: OnsidePaymentTransaction) {
    guard let account = launch.state.account else { return }
    perform(machine.add(QueuedTransaction(payment: transaction, accountID: account.id)))
  }

  // MARK: Finishing

  /// Finishes a transaction: it leaves the queue, at once or when its completion is done; a payment in flight is left alone.
  public func finishTransaction(_ transaction: OnsidePaymentTransaction) {
    try? finishTransaction(transaction.id)
  }

  /// Finishes the transaction with this id (bridge reference, "finishTransaction").
  ///
  /// - Parameter accepted: Called once the transaction is known to be there and before anything leaves the queue.
  public func finishTransaction(_ id: String, accepted: () -> Void = {}) throws(JSFinishTransactionError) {
    if let error = launch.takeError(of: .finishTransaction, as: JSFinishTransactionError.self) { throw error }
    guard let (finish, actions) = machine.finish(id) else { throw .unknownTransaction }
    accepted()
    perform(actions)
    guard finish == .removeAfterCompletion else { return }
    if launch.state.settings[.finishTransaction].delayMilliseconds == 0 {
      perform(machine.remove(id))
    } else {
      tasks[id] = Task {
        await launch.delay(.finishTransaction)
        if !Task.isCancelled { perform(machine.remove(id)) }
      }
    }
  }

  // MARK: Restoring

  /// Starts a restore, after a login when nobody is signed in. What comes of it goes to observers.
  public func restoreCompletedTransactions() async throws(OnsidePaymentQueueRequestRestoreError) {
    if let error = launch.takeError(of: .restoreCompletedTransactions, as: OnsidePaymentQueueRequestRestoreError.self) {
      throw error
    }
    guard await launch.signIn() else { throw .loginDiscarded }
    beginRestore()
  }

  /// Starts a restore for whoever is signed in.
  func beginRestore() {
    guard let account = launch.state.account else { return }
    launch.state.launch.restores.append(account.id)
    start(makeRestore(accountID: account.id))
  }

  func makeRestore(accountID: String) -> OnsideRestore {
    let restore = OnsideRestore(accountID: accountID)
    restores.append(restore)
    return restore
  }

  func start(_ restore: OnsideRestore) {
    guard !machine.isPaused, restore.task == nil else { return }
    restore.task = Task {
      await launch.delay(.restore)
      let outcome = launch.decideOutcome?(.restore, [:])
      await outcome?.hold()
      if !Task.isCancelled { finish(restore, outcome) }
    }
  }

  private func finish(_ restore: OnsideRestore, _ outcome: OnsideOutcome?) {
    restores.removeAll { $0 === restore }
    launch.state.launch.restores = restores.map(\.accountID)
    if let error = outcome?.error.flatMap(OnsideTransactionsRestoreError.init)
      ?? launch.takeError(of: .restore, as: OnsideTransactionsRestoreError.self)
    {
      return fail(error)
    }
    // Whoever signs out takes the restore along; the contract has no other case for it.
    guard let account = launch.state.account, account.id == restore.accountID, let storefront else {
      return fail(.cancelled)
    }
    for purchase in launch.restorable(for: account.id) { deliver(purchase, in: storefront) }
    for observer in observers { observer.onsidePaymentQueueRestoreCompletedTransactionsFinished(self) }
  }

  private func fail(_ error: OnsideTransactionsRestoreError) {
    for observer in observers { observer.onsidePaymentQueue(self, restoreCompletedTransactionsFailedWithError: error) }
  }

  /// Delivers a restored purchase: the entry that an earlier restore left unfinished, or a new one.
  private func deliver(_ purchase: OnsidePurchase, in storefront: OnsideStorefront) {
    let unfinished = machine.entries.first {
      $0.transaction.transactionState == .restored && $0.transaction.transactionIdentifier == purchase.id
        && $0.stage == .ended
    }
    if let unfinished {
      perform(machine.step(unfinished.transaction.id) { $0.announceAgain() } ?? [])
      return
    }
    var transaction = OnsidePaymentTransaction(
      id: launch.random.uuid(),
      payment: OnsidePayment(
        product: launch.product(of: purchase, in: storefront), appAccountToken: purchase.appAccountToken),
      transactionState: .restored,
      storefront: storefront
    )
    transaction.transactionIdentifier = purchase.id
    transaction.originalTransactionIdentifier = launch.originalID(ofOrder: purchase.id) ?? purchase.originalID
    perform(machine.add(QueuedTransaction(restored: transaction, accountID: purchase.accountID)))
  }

  // MARK: The machine

  /// Takes a transaction one step on. False when the step was impossible.
  @discardableResult
  func step(_ id: String, _ step: (inout QueuedTransaction) -> Bool) -> Bool {
    guard let actions = machine.step(id, step) else { return false }
    perform(actions)
    return true
  }

  /// Has a transaction fail that has not ended, whatever is being done for it. False when there is none with this id, or it has ended.
  public func fail(_ id: String, with error: OnsidePaymentTransactionError) -> Bool {
    guard step(id, { $0.fail(error) }) else { return false }
    tasks.removeValue(forKey: id)?.cancel()
    forgetOutcome(of: id)
    return true
  }

  /// Adds a transaction that began in an earlier launch, which observers are still to hear of.
  func enqueue(earlier entry: QueuedTransaction) {
    perform(machine.add(entry))
  }

  /// Takes a transaction out of the queue without a final state.
  func discard(_ id: String) {
    perform(machine.remove(id))
  }

  /// What was decided on purpose about the payment of a transaction.
  func outcome(of entry: QueuedTransaction) -> OnsideOutcome? {
    let id = entry.transaction.id
    if let known = outcomes[id] { return known }
    let payment = entry.transaction.payment
    var data: [String: JSONValue] = [
      "productIdentifier": .string(payment.product.productIdentifier), "transaction": .string(id),
    ]
    if let token = payment.appAccountToken { data["appAccountToken"] = .string(token) }
    let outcome = launch.decideOutcome?(.payment, data)
    outcomes[id] = .some(outcome)
    return outcome
  }

  /// Forgets what was decided about a payment, once it has come as far as it gets.
  func forgetOutcome(of id: String) {
    outcomes[id] = nil
  }

  func perform(_ actions: [PaymentQueueMachine.Action]) {
    launch.state.transactions = machine.entries
    for action in actions {
      switch action {
      case .updated(let transactions):
        for observer in observers { observer.onsidePaymentQueue(self, updatedTransactions: transactions) }
      case .removed(let transactions):
        for observer in observers { observer.onsidePaymentQueue(self, removedTransactions: transactions) }
      case .process(let id):
        tasks[id] = Task { await process(id) }
      case .stop(let id):
        stop(id)
      }
    }
  }

  /// Stops whatever is being done for a transaction.
  func stop(_ id: String) {
    tasks.removeValue(forKey: id)?.cancel()
  }

  private func storefrontDidChange(to storefront: OnsideStorefront?) {
    for observer in observers { observer.onsidePaymentQueue(self, didChangeStorefront: storefront) }
  }

  /// Nobody pays for what another account was about to buy.
  private func cancelOthersPayments() {
    let accountID = launch.state.account?.id
    for entry in machine.entries where !entry.isSent && entry.accountID != accountID {
      stop(entry.transaction.id)
      step(entry.transaction.id) { $0.fail(.cancelled) }
    }
  }
}
