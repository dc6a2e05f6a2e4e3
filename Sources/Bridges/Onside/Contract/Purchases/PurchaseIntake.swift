import BridgeRuntime

/// Passes the purchases and restores of pages to the payment queue. If nobody is signed in, the login comes first.
/// ``PurchaseIntakeStateMachine`` decides the order.
@BridgeActor
final class PurchaseIntake {
  /// A purchase or a restore that a page has asked for.
  private struct Call {
    /// What is bought; nil for a restore.
    let payment: OnsidePayment?
    let page: OnsideJS
    let responder: OnsideResponder
  }

  private typealias Machine = PurchaseIntakeStateMachine<Call, OnsidePaymentTransaction>

  /// Called when a purchase is refused because of ``OnsideConfiguration/limits``, with a sentence for the log.
  var onLimit: ((String) -> Void)?

  private let launch: OnsideLaunch
  private let queue: OnsidePaymentQueue
  private let pages: OnsidePages
  private var machine = Machine()

  init(launch: OnsideLaunch, queue: OnsidePaymentQueue, pages: OnsidePages) {
    self.launch = launch
    self.queue = queue
    self.pages = pages
  }

  /// A page asks for a payment. The answer only says whether the payment enters the queue (bridge reference, "purchase"). Callbacks report
  /// the rest.
  func add(_ payment: OnsidePayment, from buyer: OnsideJS, _ responder: OnsideResponder) {
    let purchase = Call(payment: payment, page: buyer, responder: responder)
    if let reason = reachedLimit { return reject(purchase, .noRoom(reason)) }
    let isDelayed = launch.state.settings[.purchase].delayMilliseconds > 0
    switch machine.arrive(purchase, isSignedIn: launch.state.account != nil, isDelayed: isDelayed) {
    case .enter:
      guard let transaction = queue.makeTransaction(payment) else { return reject(purchase, .loginDiscarded) }
      enter(purchase, transaction)
    case .begin: begin(purchase)
    case .wait: break
    }
  }

  /// A page asks for a restore. The answer only says whether it starts (bridge reference, "restoreCompletedTransactions"). Callbacks report
  /// the rest.
  func addRestore(from page: OnsideJS, _ responder: OnsideResponder) {
    let restore = Call(payment: nil, page: page, responder: responder)
    switch machine.arrive(restore: restore, isSignedIn: launch.state.account != nil) {
    case .enter: start(restore)
    case .begin: begin(restore)
    case .wait: break
    }
  }

  private func perform(_ action: Machine.Action) {
    switch action {
    case .enter(let purchase, let transaction, let next):
      enter(purchase, transaction)
      if let next { begin(next) }
    case .restore(let restore, let next):
      start(restore)
      if let next { begin(next) }
    case .ask(let purchase, let transaction): ask(purchase, transaction)
    case .reject(let calls, let rejection, let next):
      for call in calls { reject(call, rejection) }
      if let next { begin(next) }
    case .ignore: break
    }
  }

  /// Waits for the delay of purchases, then for the login. The call continues in the same turn in which the login ends.
  private func begin(_ call: Call) {
    let end = call.payment == nil ? nil : launch.endOfDelay(.purchase)
    call.page.asAsker {
      BridgeActor.begin { [self] in
        await launch.wait(until: end)
        launch.signIn { isSignedIn in
          self.perform(self.machine.loginEnded(self.loginResult(of: call, isSignedIn: isSignedIn)))
        }
      }
    }
  }

  private func loginResult(of call: Call, isSignedIn: Bool) -> Machine.LoginResult {
    guard let payment = call.payment else { return isSignedIn ? .restores : .dismissed }
    // Other purchases may have entered while the login was open.
    if let reason = reachedLimit { return .noRoom(reason) }
    guard isSignedIn, let transaction = queue.makeTransaction(payment) else { return .dismissed }
    return .signedIn(transaction, asksPages: queue.asksAfterLogin)
  }

  private func ask(_ purchase: Call, _ transaction: OnsidePaymentTransaction) {
    pages.note(buyer: purchase.page, of: transaction.id)
    BridgeActor.begin { [self] in
      let continues = await queue.continuesAfterLogin(transaction)
      pages.forgetBuyer(of: transaction.id)
      perform(machine.pageAnswered(continues: continues, isSignedIn: launch.state.account != nil))
    }
  }

  private func enter(_ purchase: Call, _ transaction: OnsidePaymentTransaction) {
    pages.note(buyer: purchase.page, of: transaction.id)
    purchase.responder.succeed()
    purchase.page.asAsker { queue.enqueue(transaction) }
  }

  private func start(_ restore: Call) {
    restore.responder.succeed()
    queue.beginRestore()
  }

  private func reject(_ call: Call, _ rejection: Machine.Rejection) {
    switch rejection {
    case .loginDiscarded where call.payment == nil:
      call.responder.fail(OnsidePaymentQueueRequestRestoreError.loginDiscarded)
    case .loginDiscarded: call.responder.fail(JSPurchaseError.loginDiscarded)
    case .rejectedAfterLogin: call.responder.fail(JSPurchaseError.rejectedAfterLogin)
    case .noRoom(let reason):
      onLimit?("A session has reached its limit of \(reason). Further purchases are refused.")
      call.responder.fail("bridge.brokenRequest", message: "This session has reached its limit of \(reason).")
    }
  }

  /// The limit that the session has reached, in words; nil while it has room for another purchase.
  var reachedLimit: String? {
    let limits = launch.configuration.limits
    let transactions = launch.state.transactions
    let orders = launch.ledger.purchases.count
    if transactions.count >= limits.transactions { return "\(limits.transactions) unfinished transactions" }
    // A payment that is under way will be an order. They are counted only when that can matter.
    if orders + transactions.count >= limits.orders,
      orders + transactions.count(where: { $0.transaction.transactionState == .purchasing }) >= limits.orders
    {
      return "\(limits.orders) orders"
    }
    return nil
  }
}
