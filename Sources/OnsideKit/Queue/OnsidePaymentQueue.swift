import BridgeCore
public import BridgeRuntime

/// Processes payments and restores, one after another, and keeps their transactions (purchasing guide).
///
/// The queue stands still until an observer is added. A transaction stays in it until the app finishes it.
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
  /// Decides whether transactions go on; without one they do.
  public weak var delegate: (any OnsidePaymentQueueDelegate)?

  let launch: OnsideLaunch
  var machine: PaymentQueueMachine {
    didSet { transactionsText = nil }
  }
  /// Told of transactions, in the order in which they were added.
  public private(set) var transactionObservers: [any OnsidePaymentTransactionObserver] = []
  /// The text of the answer to `getTransactions`, until the queue changes: pages ask again and again.
  private var transactionsText: [UInt8]?
  private var tasks: [UUID: Task<Void, Never>] = [:]
  var restores: [OnsideRestore] = []
  /// The outcomes that rules have decided for payments under way, by transaction. Nil if rules decided nothing.
  private var outcomes: [UUID: OnsideOutcome?] = [:]

  init(launch: OnsideLaunch) {
    self.launch = launch
    machine = PaymentQueueMachine(carriedOver: launch.state.transactions, storefront: launch.storefront)
    launch.storefrontDidChange = { [weak self] _ in self?.storefrontDidChange() }
    launch.accountDidChange = { [weak self] in self?.cancelOthersPayments() }
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

  /// Adds an observer. The first one sets the queue going, with the unfinished transactions of earlier launches first. The queue holds it
  /// strongly.
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

  /// Removes an observer. Without any the queue stands still.
  public func remove(observer: any OnsidePaymentTransactionObserver) {
    transactionObservers.removeAll { $0 === observer }
    if transactionObservers.isEmpty { machine.pause() }
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
  func entry(_ id: UUID) -> QueuedTransaction? { machine[id] }

  // MARK: Buying

  /// Adds a payment, after a login if nobody is signed in.
  ///
  /// - Parameters:
  ///   - payment: The payment.
  ///   - completion: Called when the payment is in the queue, or with the reason why it is not. Observers are told the outcome.
  public func add(
    _ payment: OnsidePayment,
    completion: (@BridgeActor (Result<Void, OnsidePaymentQueueAddProductError>) -> Void)?
  ) {
    Task {
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

  /// Adds a payment, after a login if nobody is signed in. Not in the guide, which has a completion.
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
      id: UUID(launch.random), payment: payment, transactionState: .purchasing, storefront: storefront)
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
  /// - Parameters:
  ///   - id: The transaction's id; nil if a page has named something that is no UUID.
  ///   - accepted: Called once the transaction is known to be there and before anything leaves the queue.
  func finishTransaction(_ id: UUID?, accepted: () -> Void = {}) throws(JSFinishTransactionError) {
    if let error = launch.takeError(of: .finishTransaction, as: JSFinishTransactionError.self) { throw error }
    guard let id, let (finish, actions) = machine.finish(id) else { throw .unknownTransaction }
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

  // MARK: The machine

  /// Takes a transaction one step on. False when the step was impossible.
  @discardableResult
  func step(_ id: UUID, _ step: (inout QueuedTransaction) -> Bool) -> Bool {
    guard let actions = machine.step(id, step) else { return false }
    perform(actions)
    return true
  }

  /// Has a transaction fail that has not ended, whatever is being done for it. False when there is none with this id, or it has ended.
  public func fail(_ id: UUID, with error: OnsidePaymentTransactionError) -> Bool {
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
  func discard(_ id: UUID) {
    perform(machine.remove(id))
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

  /// Forgets what was decided about a payment, once it has come as far as it gets.
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
        for observer in transactionObservers { observer.onsidePaymentQueue(self, removedTransactions: transactions) }
      case .process(let id):
        tasks[id] = Task { await process(id) }
      case .stop(let id):
        stop(id)
      }
    }
  }

  /// Stops whatever is being done for a transaction.
  func stop(_ id: UUID) {
    tasks.removeValue(forKey: id)?.cancel()
  }

  private func storefrontDidChange() {
    for observer in transactionObservers { observer.onsidePaymentQueueDidChangeStorefront(self) }
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
