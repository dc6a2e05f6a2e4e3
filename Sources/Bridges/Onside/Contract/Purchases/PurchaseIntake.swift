import BridgeCore
import BridgeRuntime
import Essentials
import InAppPurchases

/// Passes the purchases and restores of all bridges to the payment queue. If nobody is signed in, the login comes first.
/// ``PurchaseIntakeStateMachine`` decides the order.
@BridgeActor
final class PurchaseIntake {
  /// A purchase or a restore that a bridge has asked for.
  private struct Call {
    let kind: Kind
    /// The page that shows the sheets; nil for any.
    let page: BridgeHost.ID?

    /// What is asked for. Each answer says whether it reaches the queue.
    enum Kind {
      case purchase(OnsidePayment, asksPages: Bool, answer: @BridgeActor (Result<UUID, InAppError>) -> Void)
      case restore(answer: @BridgeActor (InAppError?) -> Void)
    }
  }

  private typealias Machine = PurchaseIntakeStateMachine<Call, OnsidePaymentTransaction>

  /// Called when a purchase is refused because of ``OnsideConfiguration/limits``, with a sentence for the log.
  var onLimit: ((String) -> Void)?

  private let launch: OnsideLaunch
  private let queue: OnsidePaymentQueue
  private var machine = Machine()

  init(launch: OnsideLaunch, queue: OnsidePaymentQueue) {
    self.launch = launch
    self.queue = queue
  }

  /// A bridge asks for a payment. The answer only says whether the payment enters the queue (bridge reference, "purchase"). Observers hear the
  /// rest.
  func add(
    _ payment: OnsidePayment, for page: BridgeHost.ID?, asksPages: Bool,
    answer: @escaping @BridgeActor (Result<UUID, InAppError>) -> Void
  ) {
    let purchase = Call(kind: .purchase(payment, asksPages: asksPages, answer: answer), page: page)
    if let error = refusal(of: payment) { return reject(purchase, .refused(error)) }
    let isDelayed = launch.state.settings[.purchase].delayMilliseconds > 0
    switch machine.arrive(purchase, isSignedIn: launch.state.account != nil, isDelayed: isDelayed) {
    case .enter:
      guard let transaction = queue.makeTransaction(payment) else { return reject(purchase, .loginDiscarded) }
      enter(purchase, transaction)
    case .begin: begin(purchase)
    case .wait: break
    }
  }

  /// A bridge asks for a restore. The answer only says whether it starts (bridge reference, "restoreCompletedTransactions"). Observers hear
  /// the rest.
  func addRestore(for page: BridgeHost.ID?, answer: @escaping @BridgeActor (InAppError?) -> Void) {
    let restore = Call(kind: .restore(answer: answer), page: page)
    switch machine.arrive(restore: restore, isSignedIn: launch.state.account != nil) {
    case .enter: enter(restore, nil)
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
      enter(restore, nil)
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
    let end =
      switch call.kind {
      case .purchase: launch.endOfDelay(.purchase)
      case .restore: BridgeInstant?.none
      }
    OnsideLaunch.$asker.withValue(call.page) {
      BridgeActor.begin { [self] in
        await launch.wait(until: end)
        launch.signIn { isSignedIn in
          self.perform(self.machine.loginEnded(self.loginResult(of: call, isSignedIn: isSignedIn)))
        }
      }
    }
  }

  private func loginResult(of call: Call, isSignedIn: Bool) -> Machine.LoginResult {
    guard case .purchase(let payment, let asksPages, _) = call.kind else { return isSignedIn ? .restores : .dismissed }
    // Other purchases may have entered while the login was open.
    if let error = refusal(of: payment) { return .refused(error) }
    guard isSignedIn, let transaction = queue.makeTransaction(payment) else { return .dismissed }
    return .signedIn(transaction, asksPages: asksPages && queue.asksAfterLogin)
  }

  private func ask(_ purchase: Call, _ transaction: OnsidePaymentTransaction) {
    queue.note(asker: purchase.page, of: transaction.id)
    BridgeActor.begin { [self] in
      let continues = await queue.continuesAfterLogin(transaction)
      queue.note(asker: nil, of: transaction.id)
      perform(machine.pageAnswered(continues: continues, isSignedIn: launch.state.account != nil))
    }
  }

  private func enter(_ call: Call, _ transaction: OnsidePaymentTransaction?) {
    switch call.kind {
    case .purchase(_, _, let answer):
      guard let transaction else { return }
      answer(.success(transaction.id))
      OnsideLaunch.$asker.withValue(call.page) { queue.enqueue(transaction, askedBy: call.page) }
    case .restore(let answer):
      answer(nil)
      queue.beginRestore()
    }
  }

  private func reject(_ call: Call, _ rejection: Machine.Rejection) {
    let error =
      switch rejection {
      case .loginDiscarded: InAppError.loginDismissed
      case .rejectedAfterLogin: InAppError.rejectedAfterLogin
      case .refused(let error): error
      }
    switch call.kind {
    case .purchase(_, _, let answer): answer(.failure(error))
    case .restore(let answer): answer(error)
    }
  }

  /// Why the session refuses a payment; nil if it can enter the queue.
  private func refusal(of payment: OnsidePayment) -> InAppError? {
    guard let reason = launch.reachedLimit else { return launch.refusal(ofOffer: payment) }
    onLimit?("A session has reached its limit of \(reason). Further purchases are refused.")
    return InAppError(limit: reason)
  }
}
