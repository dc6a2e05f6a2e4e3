import BridgeRuntime

/// Passes the purchases of pages to the payment queue. If nobody is signed in, the login comes first. ``PurchaseIntakeStateMachine``
/// decides the order.
@BridgeActor
final class PurchaseIntake {
  /// A purchase that a page has asked for.
  private struct Purchase {
    let payment: OnsidePayment
    let buyer: OnsideJS
    let responder: OnsideResponder
  }

  private typealias Machine = PurchaseIntakeStateMachine<Purchase, OnsidePaymentTransaction>

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
    let purchase = Purchase(payment: payment, buyer: buyer, responder: responder)
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

  private func perform(_ action: Machine.Action) {
    switch action {
    case .enter(let purchase, let transaction, let next):
      enter(purchase, transaction)
      if let next { begin(next) }
    case .ask(let purchase, let transaction): ask(purchase, transaction)
    case .reject(let purchases, let rejection, let next):
      for purchase in purchases { reject(purchase, rejection) }
      if let next { begin(next) }
    case .ignore: break
    }
  }

  /// Waits for the delay, then for the login. The purchase continues in the same turn in which the login ends.
  private func begin(_ purchase: Purchase) {
    let end = launch.endOfDelay(.purchase)
    purchase.buyer.asAsker {
      BridgeActor.begin { [self] in
        await launch.wait(until: end)
        launch.signIn { isSignedIn in
          self.perform(self.machine.loginEnded(self.loginResult(of: purchase, isSignedIn: isSignedIn)))
        }
      }
    }
  }

  private func loginResult(of purchase: Purchase, isSignedIn: Bool) -> Machine.LoginResult {
    // Other purchases may have entered while the login was open.
    if let reason = reachedLimit { return .noRoom(reason) }
    guard isSignedIn, let transaction = queue.makeTransaction(purchase.payment) else { return .dismissed }
    return .signedIn(transaction, asksPages: queue.asksAfterLogin)
  }

  private func ask(_ purchase: Purchase, _ transaction: OnsidePaymentTransaction) {
    pages.note(buyer: purchase.buyer, of: transaction.id)
    BridgeActor.begin { [self] in
      let continues = await queue.continuesAfterLogin(transaction)
      pages.forgetBuyer(of: transaction.id)
      perform(machine.pageAnswered(continues: continues, isSignedIn: launch.state.account != nil))
    }
  }

  private func enter(_ purchase: Purchase, _ transaction: OnsidePaymentTransaction) {
    pages.note(buyer: purchase.buyer, of: transaction.id)
    purchase.responder.succeed()
    purchase.buyer.asAsker { queue.enqueue(transaction) }
  }

  private func reject(_ purchase: Purchase, _ rejection: Machine.Rejection) {
    switch rejection {
    case .loginDiscarded: purchase.responder.fail(JSPurchaseError.loginDiscarded)
    case .rejectedAfterLogin: purchase.responder.fail(JSPurchaseError.rejectedAfterLogin)
    case .noRoom(let reason):
      onLimit?("A session has reached its limit of \(reason). Further purchases are refused.")
      purchase.responder.fail(
        "bridge.brokenRequest", message: "This session has reached its limit of \(reason).")
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
