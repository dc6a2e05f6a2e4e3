/// A transaction in the payment queue and how far it has come: the states behind `purchasing`, and what finishing does in each.
public struct QueuedTransaction: Sendable, Hashable, Codable {
  /// How far the transaction has come.
  enum Stage: String, Codable {
    /// It waits for its turn; nothing has been asked or sent.
    case queued
    /// Its turn has come: gate and sheets. Nothing has been sent.
    case processing
    /// The person asked someone else to pay. Nothing has been sent.
    case awaitingApproval
    /// Payment has been sent.
    case paying
    /// Payment has been sent and waits for the person to resolve an interruption.
    case interrupted
    /// Purchased, restored or failed; the app has not finished it.
    case ended
    /// The app has finished it; it leaves the queue as soon as the completion is done.
    case finishing
  }

  /// What finishing a transaction does (onside-more, 4: finish semantics).
  enum FinishAction: Equatable {
    /// It leaves the queue at once: it had not been sent for payment.
    case removeNow
    /// It leaves the queue once the completion is done.
    case removeAfterCompletion
    /// Nothing: its payment is in flight, or it is leaving already.
    case none
  }

  /// The transaction as the app sees it.
  public internal(set) var transaction: OnsidePaymentTransaction
  /// Who buys.
  let accountID: String
  private(set) var stage: Stage
  /// Whether observers are still to hear of the present state.
  var needsAnnouncement = true
  /// The country in which the page last agreed to go on, so that it is asked once per storefront.
  var agreedCountryCode: String?

  /// A new payment.
  init(payment transaction: OnsidePaymentTransaction, accountID: String) {
    self.transaction = transaction
    self.accountID = accountID
    stage = .queued
  }

  /// A purchase that a restore brought back.
  init(restored transaction: OnsidePaymentTransaction, accountID: String) {
    self.transaction = transaction
    self.accountID = accountID
    stage = .ended
  }

  /// A payment that went through before, of which observers are still to hear.
  init(purchased transaction: OnsidePaymentTransaction, accountID: String, orderID: String, originalID: String?) {
    self.init(payment: transaction, accountID: accountID)
    self.transaction.transactionIdentifier = orderID
    self.transaction.originalTransactionIdentifier = originalID
    end(.purchased)
  }

  /// A payment of an earlier launch that is as far as `seed` says. `orderID` is its order's, where payment has been sent.
  init(
    _ seed: OnsideTransactionSeed, _ transaction: OnsidePaymentTransaction, accountID: String, orderID: String,
    originalID: String?
  ) {
    self.init(payment: transaction, accountID: accountID)
    switch seed {
    case .failed(let error): _ = fail(error)
    case .awaitingApproval: stage = .awaitingApproval
    case .interrupted:
      stage = .interrupted
      self.transaction.transactionIdentifier = orderID
      self.transaction.originalTransactionIdentifier = originalID
    }
  }

  /// What it waits for outside of the app; nil for nothing.
  public var wait: OnsideTransactionWait? {
    switch stage {
    case .awaitingApproval: .approval
    case .interrupted: .interruption
    case .queued, .processing, .paying, .ended, .finishing: nil
    }
  }

  /// Whether payment has been sent, or the transaction is past that.
  var isSent: Bool {
    switch stage {
    case .queued, .processing, .awaitingApproval: false
    case .paying, .interrupted, .ended, .finishing: true
    }
  }

  /// Starts processing. False when it was started before.
  mutating func begin() -> Bool {
    guard stage == .queued else { return false }
    stage = .processing
    return true
  }

  /// Hands the decision to someone else. False unless it is being processed.
  mutating func askForApproval() -> Bool {
    guard stage == .processing else { return false }
    stage = .awaitingApproval
    return true
  }

  /// Sends the payment: the order has an id from now on. False unless it is being processed or was waiting for approval.
  mutating func send(orderID: String, originalID: String? = nil) -> Bool {
    guard stage == .processing || stage == .awaitingApproval else { return false }
    stage = .paying
    transaction.transactionIdentifier = orderID
    transaction.originalTransactionIdentifier = originalID
    return true
  }

  /// Interrupts the payment. False unless it was sent just now.
  mutating func interrupt() -> Bool {
    guard stage == .paying else { return false }
    stage = .interrupted
    return true
  }

  /// The payment went through, by an order that may be another one than it was sent for. False unless it was sent.
  mutating func complete(orderID: String, originalID: String?) -> Bool {
    guard stage == .paying || stage == .interrupted else { return false }
    transaction.transactionIdentifier = orderID
    transaction.originalTransactionIdentifier = originalID
    end(.purchased)
    return true
  }

  /// The transaction failed. False when it has ended already.
  mutating func fail(_ error: OnsidePaymentTransactionError) -> Bool {
    guard stage != .ended, stage != .finishing else { return false }
    transaction.error = error
    end(.failed)
    return true
  }

  /// The person agreed to buy in this storefront, the product as it is sold there. False unless it is being processed.
  mutating func move(to storefront: OnsideStorefront, product: OnsideProduct) -> Bool {
    guard stage == .processing else { return false }
    transaction.storefront = storefront
    transaction.payment = OnsidePayment(product: product, appAccountToken: transaction.payment.appAccountToken)
    return true
  }

  /// Has observers hear of an ended transaction once more. False when it has not ended.
  mutating func announceAgain() -> Bool {
    guard stage == .ended else { return false }
    needsAnnouncement = true
    return true
  }

  /// The app finishes the transaction.
  mutating func finish() -> FinishAction {
    switch stage {
    case .queued, .processing: return .removeNow
    // A payment that waits for approval has left the person's hands, as one that is in flight has; that is ours.
    case .awaitingApproval, .paying, .interrupted, .finishing: return .none
    case .ended:
      stage = .finishing
      return .removeAfterCompletion
    }
  }

  /// A new launch takes the transaction over: what had not been sent starts again, everything is told again.
  mutating func carryOver(storefront: OnsideStorefront?) {
    startOver()
    needsAnnouncement = true
    agreedCountryCode = nil
    // Ids of storefronts last for one launch; the country is what stays.
    if let storefront, storefront.countryCode == transaction.storefront.countryCode {
      transaction.storefront = storefront
    }
  }

  /// Whoever was processing the transaction has stopped: it waits for its turn again, unless payment was sent.
  mutating func startOver() {
    if stage == .processing { stage = .queued }
  }

  private mutating func end(_ state: OnsidePaymentTransactionState) {
    stage = .ended
    transaction.transactionState = state
    needsAnnouncement = true
  }
}

/// The state of a transaction that a test adds as if an earlier launch had begun it. For one that was paid, a test adds an unfinished
/// purchase instead.
public enum OnsideTransactionSeed: Sendable, Hashable {
  /// It has failed.
  case failed(OnsidePaymentTransactionError)
  /// Someone else was asked to pay ("ask to buy").
  case awaitingApproval
  /// Its payment was interrupted.
  case interrupted
}

/// What a transaction waits for outside of the app.
public enum OnsideTransactionWait: String, Sendable, CaseIterable {
  /// Someone else is to agree to pay ("ask to buy").
  case approval
  /// The person is to resolve an interruption.
  case interruption
}
