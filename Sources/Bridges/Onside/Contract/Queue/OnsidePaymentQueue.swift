import BridgeCore
public import BridgeRuntime

/// Processes payments and restores one at a time, and keeps their transactions (purchasing guide).
///
/// The queue is paused until an observer is added. A transaction stays in it until the app finishes it.
///
/// ```swift
/// let queue = Onside.defaultPaymentQueue()
/// queue.add(observer: self)
/// queue.add(OnsidePayment(product: product)) { result in
///   if case .failure(.loginDiscarded) = result { showHint() }
/// }
/// ```
@BridgeActor
public final class OnsidePaymentQueue {
  /// Decides whether transactions continue. Without a delegate, they do.
  public weak var delegate: (any OnsidePaymentQueueDelegate)?
  /// The pages that have asked for transactions, whether or not they are still there. They show the transactions' sheets and decide whether
  /// these continue.
  private(set) var askers: [UUID: BridgeHost.ID] = [:]

  let launch: OnsideLaunch
  var machine: PaymentQueueMachine {
    didSet { transactionsText = nil }
  }
  /// The observers, in the order in which they were added.
  public private(set) var transactionObservers: [any OnsidePaymentTransactionObserver] = []
  /// The cached answer to `getTransactions`, until the queue changes: pages ask again and again.
  private var transactionsText: [UInt8]?
  /// The work on transactions of the queue.
  private(set) var tasks: [UUID: Task<Void, Never>] = [:]
  var restores: [OnsideRestore] = []
  /// The payments that rules hold on their way to the store.
  var held: Set<UUID> = []
  /// The outcomes that rules have decided for payments in progress, by transaction. Nil if the rules decided nothing.
  private var outcomes: [UUID: OnsideOutcome?] = [:]

  init(launch: OnsideLaunch) {
    self.launch = launch
    machine = PaymentQueueMachine(carriedOver: launch.state.transactions, storefront: launch.storefront)
    launch.storefrontDidChange = { [weak self] _ in self?.storefrontDidChange() }
    launch.accountDidChange = { [weak self] in self?.cancelOthersPayments() }
    launch.ordersWereDeleted = { [weak self] in self?.dropTransactions(ofOrders: $0) }
  }

  /// The app is about to be killed. Payments that wait on their way have not reached the store: they start again with the next launch.
  func takeBackHeldPayments() {
    machine.pause()
    for id in held { step(id) { $0.takeBack() } }
    held = []
  }

  func terminate() {
    transactionObservers = []
    machine.pause()
    for task in tasks.values { task.cancel() }
    tasks = [:]
    for restore in restores { restore.task?.cancel() }
    restores = []
  }

  // MARK: Observers

  /// Adds an observer. The queue holds it strongly. The first observer resumes the queue; unfinished transactions of earlier launches come
  /// first.
  public func add(observer: any OnsidePaymentTransactionObserver) {
    guard !transactionObservers.contains(where: { $0 === observer }) else { return }
    transactionObservers.append(observer)
    perform(machine.resume())
    for restore in restores { start(restore) }
  }

  /// Adds an observer. The same as ``add(observer:)``, under the name that the purchasing guide gives it.
  public func add(_ observer: any OnsidePaymentTransactionObserver) {
    add(observer: observer)
  }

  /// Removes an observer. Without observers the queue is paused.
  public func remove(observer: any OnsidePaymentTransactionObserver) {
    transactionObservers.removeAll { $0 === observer }
    if transactionObservers.isEmpty { machine.pause() }
  }

  // MARK: State

  /// The selected storefront; nil until someone signs in.
  public var storefront: OnsideStorefront? { launch.storefront }

  /// The unfinished transactions, oldest first.
  public var transactions: [OnsidePaymentTransaction] { machine.entries.map(\.transaction) }

  /// The answer to `getTransactions`, as JSON text.
  func transactionsAnswer() -> [UInt8] {
    if let transactionsText { return transactionsText }
    let text = transactions.membersText
    transactionsText = text
    return text
  }

  /// The unfinished transactions, oldest first, with what they wait for.
  public var entries: SharedList<QueuedTransaction> { machine.entries }

  /// The transactions that wait for ``approve(_:)`` or ``decline(_:)``.
  public var transactionsAwaitingApproval: [OnsidePaymentTransaction] {
    machine.entries.filter { $0.stage == .awaitingApproval }.map(\.transaction)
  }

  /// The transactions that wait for ``resolveInterruption(of:successfully:)``.
  public var interruptedTransactions: [OnsidePaymentTransaction] {
    machine.entries.filter { $0.stage == .interrupted }.map(\.transaction)
  }

  /// A transaction and its stage.
  func entry(_ id: UUID) -> QueuedTransaction? { machine[id] }

  // MARK: Buying

  /// Adds a payment. If nobody is signed in, the login comes first.
  ///
  /// - Parameters:
  ///   - payment: The payment.
  ///   - completion: Called when the payment is in the queue, or with the reason why it is not. Observers receive the outcome of the
  ///     payment.
  public func add(
    _ payment: OnsidePayment,
    completion: (@BridgeActor (Result<Void, OnsidePaymentQueueAddProductError>) -> Void)?
  ) {
    BridgeActor.begin { [self] in
      do throws(OnsidePaymentQueueAddProductError) {
        try await add(payment)
        completion?(.success(()))
      } catch {
        completion?(.failure(error))
      }
    }
  }

  /// Adds a payment for a product, as older versions of OnsideKit have it. See ``add(_:completion:)-(OnsidePayment,_)``.
  public func add(
    _ product: OnsideProduct,
    completion: (@BridgeActor (Result<Void, OnsidePaymentQueueAddProductError>) -> Void)? = nil
  ) {
    add(OnsidePayment(product: product), completion: completion)
  }

  /// Adds a payment. If nobody is signed in, the login comes first. The guide has a completion instead.
  ///
  /// - Throws: ``OnsidePaymentQueueAddProductError``. In this case there is no transaction.
  public func add(_ payment: OnsidePayment) async throws(OnsidePaymentQueueAddProductError) {
    let isLoginNeeded = launch.state.account == nil
    guard await launch.signIn(), let transaction = makeTransaction(payment) else { throw .loginDiscarded }
    if isLoginNeeded, !(await continuesAfterLogin(transaction)) { throw .rejectedAfterLogin }
    enqueue(transaction)
  }

  /// A new transaction in the current storefront; nil if nobody is signed in.
  func makeTransaction(_ payment: OnsidePayment) -> OnsidePaymentTransaction? {
    guard let storefront = launch.storefront else { return nil }
    return OnsidePaymentTransaction(
      id: UUID(launch.random), payment: payment, transactionState: .purchasing, storefront: storefront)
  }

  /// Whether the app decides if a purchase that needed a login enters the queue. Contract "docs" does not ask.
  var asksAfterLogin: Bool { launch.state.settings.contract == .version1_3 && delegate != nil }

  /// Whether a purchase that needed a login enters the queue.
  func continuesAfterLogin(_ transaction: OnsidePaymentTransaction) async -> Bool {
    guard asksAfterLogin, let delegate else { return true }
    return await delegate.onsidePaymentQueue(self, shouldContinueAfterLogin: transaction)
  }

  /// Adds a transaction to the queue. Does nothing if its account has signed out in the meantime.
  ///
  /// - Parameter asker: The page that has asked for it; nil for none.
  func enqueue(_ transaction: OnsidePaymentTransaction, askedBy asker: BridgeHost.ID? = nil) {
    guard let account = launch.state.account else { return }
    askers[transaction.id] = asker
    perform(machine.add(QueuedTransaction(payment: transaction, accountID: account.id)))
    if entry(transaction.id)?.stage == .queued { launch.noteWaiting() }
  }

  /// Notes which page has asked for a transaction before it enters the queue; nil forgets it.
  func note(asker: BridgeHost.ID?, of id: UUID) { askers[id] = asker }

  // MARK: Finishing

  /// Finishes a transaction. It leaves the queue now or when its completion is done. A payment in progress is not affected.
  public func finishTransaction(_ transaction: OnsidePaymentTransaction) {
    try? finishTransaction(transaction.id)
  }

  /// Finishes the transaction with this id (bridge reference, "finishTransaction").
  ///
  /// - Parameters:
  ///   - id: The transaction's id; nil if a page sent something that is not a UUID.
  ///   - accepted: Called once the transaction has been found, before anything leaves the queue.
  func finishTransaction(_ id: UUID?, accepted: () -> Void = {}) throws(JSFinishTransactionError) {
    if let error = launch.takeError(of: .finishTransaction, as: JSFinishTransactionError.self) { throw error }
    guard let id, let (finish, actions) = machine.finish(id) else { throw .unknownTransaction }
    accepted()
    perform(actions)
    guard finish == .removeAfterCompletion else { return }
    guard let end = launch.endOfDelay(.finishTransaction) else { return perform(machine.remove(id)) }
    tasks[id] = BridgeActor.begin { [self] in
      await launch.wait(until: end)
      if !Task.isCancelled { perform(machine.remove(id)) }
    }
  }

  // MARK: The machine

  /// Moves a transaction one step on. Returns false if the step is impossible.
  @discardableResult
  func step(_ id: UUID, _ step: (inout QueuedTransaction) -> Bool) -> Bool {
    guard let actions = machine.step(id, step) else { return false }
    perform(actions)
    return true
  }

  /// Makes an unfinished payment fail, and stops the work on it. Returns false if there is no such transaction, or if its outcome is final.
  public func fail(_ id: UUID, with error: OnsidePaymentTransactionError) -> Bool {
    guard step(id, { $0.fail(error) }) else { return false }
    tasks.removeValue(forKey: id)?.cancel()
    forgetOutcome(of: id)
    return true
  }

  /// Adds a transaction of an earlier launch. Observers have not received it yet.
  func enqueue(earlier entry: QueuedTransaction) {
    perform(machine.add(entry))
  }

  /// Removes a transaction, whatever its state. The work on it stops.
  package func discard(_ id: UUID) {
    perform(machine.remove(id))
  }

  /// Orders were deleted. Removes their transactions. A payment that has failed is none of them, even if it was sent for such an order.
  private func dropTransactions(ofOrders ids: Set<String>) {
    for entry in machine.entries where entry.transaction.transactionState != .failed {
      if let order = entry.transaction.transactionIdentifier, ids.contains(order) { discard(entry.transaction.id) }
    }
  }

  /// Another device of the world may have deleted orders while this one was off. Removes their transactions.
  func dropTransactionsOfUnknownOrders() {
    let orders = launch.ledger.purchases
    for entry in machine.entries where entry.stage == .ended && entry.transaction.transactionState != .failed {
      let group = entry.transaction.payment.product.subscriptionGroupIdentifier
      let isKnown = orders.contains {
        $0.id == entry.transaction.transactionIdentifier
          // Old renewals of a subscription are not kept.
          || (group != nil && $0.groupIdentifier == group && $0.accountID == entry.accountID)
      }
      if !isKnown { discard(entry.transaction.id) }
    }
  }

  /// The outcome that rules have decided for the payment of a transaction.
  func outcome(of entry: QueuedTransaction) -> OnsideOutcome? {
    let id = entry.transaction.id
    if let known = outcomes[id] { return known }
    let payment = entry.transaction.payment
    var data: [String: JSONValue] = [
      "productIdentifier": .string(payment.product.productIdentifier), "transaction": .string(id.text),
    ]
    if let token = payment.appAccountToken { data["appAccountToken"] = .string(token) }
    let outcome = launch.decideOutcome?(.payment, data)
    outcomes[id] = .some(outcome)
    return outcome
  }

  /// Forgets the decision about a payment that has ended.
  func forgetOutcome(of id: UUID) {
    outcomes[id] = nil
  }

  func perform(_ actions: [PaymentQueueMachine.Action]) {
    launch.state.transactions = machine.entries
    for action in actions {
      switch action {
      case .updated(let transactions):
        for observer in transactionObservers { observer.onsidePaymentQueue(self, updatedTransactions: transactions) }
      case .removed(let transactions):
        for transaction in transactions {
          tasks[transaction.id] = nil
          askers[transaction.id] = nil
          forgetOutcome(of: transaction.id)
        }
        for observer in transactionObservers { observer.onsidePaymentQueue(self, removedTransactions: transactions) }
      case .process(let id):
        tasks[id] = BridgeActor.begin { [self] in
          await process(id)
          // A task that has ended takes 10 kB while somebody refers to it. In the stage of finishing, the task is a later one.
          if !Task.isCancelled, entry(id)?.stage != .finishing { tasks[id] = nil }
        }
      case .stop(let id):
        stop(id)
      }
    }
  }

  /// Stops the work on a transaction.
  func stop(_ id: UUID) {
    tasks.removeValue(forKey: id)?.cancel()
  }

  private func storefrontDidChange() {
    for observer in transactionObservers { observer.onsidePaymentQueueDidChangeStorefront(self) }
  }

  /// Cancels payments of other accounts that were not sent.
  private func cancelOthersPayments() {
    let accountID = launch.state.account?.id
    for entry in machine.entries where !entry.isSent && entry.accountID != accountID {
      stop(entry.transaction.id)
      step(entry.transaction.id) { $0.fail(.cancelled) }
    }
  }
}
