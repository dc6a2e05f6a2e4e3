/// Decides which purchase enters the payment queue next. A pure state machine; it starts no task and reads no clock.
///
/// Purchases enter in the order in which they were asked for (purchasing guide, "Making a Purchase"). One that needs a login, or has a delay,
/// keeps those behind it waiting, so that none of them overtakes it.
struct PurchaseIntakeStateMachine<Purchase, Transaction> {
  private enum State {
    /// No purchase is in progress. The next one need not wait.
    case idle
    /// The first purchase waits for its delay and then for its login.
    case loggingIn(Purchase, isAsked: Bool)
    /// The first purchase has signed somebody in. The page decides whether it continues.
    case asking(Purchase, Transaction)
  }

  /// How the login of the first purchase ended.
  enum LoginResult {
    /// Somebody is signed in, and the purchase has become this transaction. `asksPages` says whether pages are asked about purchases that
    /// needed a login.
    case signedIn(Transaction, asksPages: Bool)
    /// Nobody is signed in: the person has dismissed the login.
    case dismissed
    /// The session has as many purchases as it may have. The text says which limit was reached.
    case noRoom(String)
  }

  /// Why a purchase does not enter the queue.
  enum Rejection: Equatable {
    /// The person has dismissed the login, or has signed out since.
    case loginDiscarded
    /// The page has refused to go on after the login.
    case rejectedAfterLogin
    /// The session has as many purchases as it may have. The text says which limit was reached.
    case noRoom(String)
  }

  enum ArrivalAction: Equatable {
    /// Put the purchase into the queue now.
    case enter
    /// Wait for the delay of purchases, then log in.
    case begin
    /// Nothing: the purchase waits for those before it.
    case wait
  }

  enum Action {
    /// Put the transaction into the queue. Then begin with the next purchase, if there is one.
    case enter(Purchase, Transaction, next: Purchase?)
    /// Ask the page whether the purchase continues.
    case ask(Purchase, Transaction)
    /// Reject these, in this order. Then begin with the next purchase, if there is one.
    case reject([Purchase], Rejection, next: Purchase?)
    /// Nothing: no purchase was waiting for this.
    case ignore
  }

  private var state = State.idle
  /// The purchases that wait for the first one, in their order.
  private var waiting: [(purchase: Purchase, needsLogin: Bool)] = []

  /// A page has asked for a purchase.
  ///
  /// - Parameters:
  ///   - isSignedIn: Whether somebody is signed in. If not, the page may be asked about the purchase after its login.
  ///   - isDelayed: Whether purchases were given a delay.
  mutating func arrive(_ purchase: Purchase, isSignedIn: Bool, isDelayed: Bool) -> ArrivalAction {
    guard case .idle = state else {
      waiting.append((purchase, !isSignedIn))
      return .wait
    }
    if isSignedIn, !isDelayed { return .enter }
    state = .loggingIn(purchase, isAsked: !isSignedIn)
    return .begin
  }

  /// The login of the first purchase has ended. A dismissed login is dismissed for all purchases that wait.
  mutating func loginEnded(_ result: LoginResult) -> Action {
    guard case .loggingIn(let purchase, let isAsked) = state else { return .ignore }
    switch result {
    case .signedIn(let transaction, let asksPages):
      if isAsked, asksPages {
        state = .asking(purchase, transaction)
        return .ask(purchase, transaction)
      }
      return .enter(purchase, transaction, next: takeNext())
    case .noRoom(let reason):
      return .reject([purchase], .noRoom(reason), next: takeNext())
    case .dismissed:
      let discarded = [purchase] + waiting.map(\.purchase)
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

  /// The first purchase has left. Returns the next one.
  private mutating func takeNext() -> Purchase? {
    if waiting.isEmpty {
      state = .idle
      return nil
    }
    let (purchase, needsLogin) = waiting.removeFirst()
    state = .loggingIn(purchase, isAsked: needsLogin)
    return purchase
  }
}
