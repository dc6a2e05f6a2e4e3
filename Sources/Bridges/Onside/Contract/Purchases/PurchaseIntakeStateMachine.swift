import InAppPurchases

/// Decides which purchase or restore reaches the payment queue next. A pure state machine; it starts no task and reads no clock.
///
/// Purchases enter in the order in which they were asked for (purchasing guide, "Making a Purchase"). One that needs a login, or has a delay,
/// keeps those behind it waiting, so that none of them overtakes it. A restore that needs a login waits among them.
struct PurchaseIntakeStateMachine<Call, Transaction> {
  private enum State {
    /// No call is in progress. The next one need not wait.
    case idle
    /// The first call waits for its delay and then for its login.
    case loggingIn(Call, isAsked: Bool)
    /// The first call is a purchase, and has signed somebody in. The page decides whether it continues.
    case asking(Call, Transaction)
  }

  /// How the login of the first call ended.
  enum LoginResult {
    /// Somebody is signed in, and the purchase has become this transaction. `asksPages` says whether pages are asked about purchases that
    /// needed a login.
    case signedIn(Transaction, asksPages: Bool)
    /// Somebody is signed in, and the call is a restore.
    case restores
    /// Nobody is signed in: the person has dismissed the login.
    case dismissed
    /// The session has as many purchases as it may have, or the account cannot have the offer.
    case refused(InAppError)
  }

  /// Why a purchase does not enter the queue.
  enum Rejection: Equatable {
    /// The person has dismissed the login, or has signed out since.
    case loginDiscarded
    /// The page has refused to go on after the login.
    case rejectedAfterLogin
    /// The session has as many purchases as it may have, or the account cannot have the offer.
    case refused(InAppError)
  }

  enum ArrivalAction: Equatable {
    /// Put the purchase into the queue now, or start the restore.
    case enter
    /// Wait for the delay of purchases, then log in.
    case begin
    /// Nothing: the call waits for those before it.
    case wait
  }

  enum Action {
    /// Put the transaction into the queue. Then begin with the next call, if there is one.
    case enter(Call, Transaction, next: Call?)
    /// Start the restore. Then begin with the next call, if there is one.
    case restore(Call, next: Call?)
    /// Ask the page whether the purchase continues.
    case ask(Call, Transaction)
    /// Reject these, in this order. Then begin with the next call, if there is one.
    case reject([Call], Rejection, next: Call?)
    /// Nothing: no call was waiting for this.
    case ignore
  }

  private var state = State.idle
  /// The calls that wait for the first one, in their order.
  private var waiting: [(call: Call, needsLogin: Bool)] = []

  /// A page has asked for a purchase.
  ///
  /// - Parameters:
  ///   - isSignedIn: Whether somebody is signed in. If not, the page may be asked about the purchase after its login.
  ///   - isDelayed: Whether purchases were given a delay.
  mutating func arrive(_ purchase: Call, isSignedIn: Bool, isDelayed: Bool) -> ArrivalAction {
    guard case .idle = state else {
      waiting.append((purchase, !isSignedIn))
      return .wait
    }
    if isSignedIn, !isDelayed { return .enter }
    state = .loggingIn(purchase, isAsked: !isSignedIn)
    return .begin
  }

  /// A page has asked for a restore. If somebody is signed in, it waits for nothing: a page that is asked about a purchase may restore first.
  mutating func arrive(restore: Call, isSignedIn: Bool) -> ArrivalAction {
    isSignedIn ? .enter : arrive(restore, isSignedIn: false, isDelayed: false)
  }

  /// The login of the first call has ended. A dismissed login is dismissed for all calls that wait.
  mutating func loginEnded(_ result: LoginResult) -> Action {
    guard case .loggingIn(let call, let isAsked) = state else { return .ignore }
    switch result {
    case .signedIn(let transaction, let asksPages):
      if isAsked, asksPages {
        state = .asking(call, transaction)
        return .ask(call, transaction)
      }
      return .enter(call, transaction, next: takeNext())
    case .restores:
      return .restore(call, next: takeNext())
    case .refused(let error):
      return .reject([call], .refused(error), next: takeNext())
    case .dismissed:
      let discarded = [call] + waiting.map(\.call)
      state = .idle
      waiting = []
      return .reject(discarded, .loginDiscarded, next: nil)
    }
  }

  /// The page has answered whether the first purchase continues. If somebody has signed out in the meantime, only that purchase is
  /// rejected.
  mutating func pageAnswered(continues: Bool, isSignedIn: Bool) -> Action {
    guard case .asking(let purchase, let transaction) = state else { return .ignore }
    let next = takeNext()
    if !continues { return .reject([purchase], .rejectedAfterLogin, next: next) }
    if !isSignedIn { return .reject([purchase], .loginDiscarded, next: next) }
    return .enter(purchase, transaction, next: next)
  }

  /// The first call has left. Returns the next one.
  private mutating func takeNext() -> Call? {
    if waiting.isEmpty {
      state = .idle
      return nil
    }
    let (call, needsLogin) = waiting.removeFirst()
    state = .loggingIn(call, isAsked: needsLogin)
    return call
  }
}
