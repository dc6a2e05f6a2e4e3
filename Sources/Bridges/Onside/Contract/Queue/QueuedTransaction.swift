/// A transaction in the payment queue and its stage: the states behind `purchasing`, and the effect of finishing in each.
public struct QueuedTransaction: Sendable, Hashable, Codable {
  /// The stage of a transaction.
  enum Stage: String, Codable {
    /// It waits for its turn. Nobody has been asked, nothing has been sent.
    case queued
    /// It is being processed: the app is asked, sheets are open. Nothing has been sent.
    case processing
    /// Someone else must approve it. Nothing has been sent.
    case awaitingApproval
    /// Payment has been sent.
    case paying
    /// Payment has been sent. The person must resolve an interruption.
    case interrupted
    /// Purchased, restored or failed; the app has not finished it.
    case ended
    /// The app has finished it. It leaves the queue when the completion is done.
    case finishing
  }

  /// The effect of finishing a transaction (onside-more, 4: finish semantics).
  enum FinishAction: Equatable {
    /// It leaves the queue at once, since its payment was not sent.
    case removeNow
    /// It leaves the queue when the completion is done.
    case removeAfterCompletion
    /// Nothing: it waits for approval, its payment is in progress, or it is already leaving.
    case none
  }

  /// The transaction as the app sees it.
  public internal(set) var transaction: OnsidePaymentTransaction
  /// The account that buys.
  let accountID: String
  private(set) var stage: Stage
  /// Whether observers have not received the current state yet.
  var needsAnnouncement = true
  /// The country in which the page last agreed to continue, so that it is asked once per storefront.
  var agreedCountryCode: String?
  /// What the person has agreed to pay; nil before that, and if an older store has not noted it.
  private(set) var charge: OnsideCharge?

  /// A new payment.
  init(payment transaction: OnsidePaymentTransaction, accountID: String) {
    self.transaction = transaction
    self.accountID = accountID
    stage = .queued
  }

  /// A purchase that a restore returned.
  init(restored transaction: OnsidePaymentTransaction, accountID: String) {
    self.transaction = transaction
    self.accountID = accountID
    stage = .ended
  }

  /// A completed payment that observers have not received yet.
  init(purchased transaction: OnsidePaymentTransaction, accountID: String, orderID: String, originalID: String?) {
    self.init(payment: transaction, accountID: accountID)
    self.transaction.transactionIdentifier = orderID
    self.transaction.originalTransactionIdentifier = originalID
    end(.purchased)
  }

  /// A payment of an earlier launch, at the stage that `seed` says, for which the person agreed to pay `charge`. `orderID` is the id of its
  /// order, if its payment was sent.
  init(
    _ seed: OnsideTransactionSeed, _ transaction: OnsidePaymentTransaction, accountID: String, charge: OnsideCharge,
    orderID: String, originalID: String?
  ) {
    self.init(payment: transaction, accountID: accountID)
    self.charge = charge
    switch seed {
    case .failed(let error): _ = fail(error)
    case .awaitingApproval: stage = .awaitingApproval
    case .interrupted:
      stage = .interrupted
      self.transaction.transactionIdentifier = orderID
      self.transaction.originalTransactionIdentifier = originalID
    }
  }

  /// What it waits for outside of the app, or nil.
  public var wait: OnsideTransactionWait? {
    switch stage {
    case .awaitingApproval: .approval
    case .interrupted: .interruption
    case .queued, .processing, .paying, .ended, .finishing: nil
    }
  }

  /// Whether the stage, the state and the error fit together. A file can contain a transaction for which they do not.
  var isPossible: Bool {
    let hasEnded = stage == .ended || stage == .finishing
    let needsOrder = stage == .paying || stage == .interrupted || transaction.transactionState == .purchased
    return hasEnded == transaction.transactionState.isTerminal
      && (transaction.error != nil) == (transaction.transactionState == .failed)
      && (!needsOrder || transaction.transactionIdentifier != nil)
  }

  /// Whether its payment was sent.
  var isSent: Bool {
    switch stage {
    case .queued, .processing, .awaitingApproval: false
    case .paying, .interrupted, .ended, .finishing: true
    }
  }

  /// Starts processing. Returns false if it was started before.
  mutating func begin() -> Bool {
    guard stage == .queued else { return false }
    stage = .processing
    return true
  }

  /// Asks someone else to approve it. Returns false unless it is being processed.
  mutating func askForApproval() -> Bool {
    guard stage == .processing else { return false }
    stage = .awaitingApproval
    return true
  }

  /// Sends the payment: the order now has an id. Returns false unless it is being processed or waits for approval.
  mutating func send(orderID: String, originalID: String? = nil) -> Bool {
    guard stage == .processing || stage == .awaitingApproval else { return false }
    stage = .paying
    transaction.transactionIdentifier = orderID
    transaction.originalTransactionIdentifier = originalID
    return true
  }

  /// Takes the payment back before it has reached the store. Returns false unless it was sent and nothing else has happened.
  mutating func takeBack() -> Bool {
    guard stage == .paying else { return false }
    stage = .queued
    charge = nil
    transaction.transactionIdentifier = nil
    transaction.originalTransactionIdentifier = nil
    return true
  }

  /// Interrupts the payment. Returns false unless it has just been sent.
  mutating func interrupt() -> Bool {
    guard stage == .paying else { return false }
    stage = .interrupted
    return true
  }

  /// Completes the payment. The order may differ from the one that the payment was sent for. Returns false unless it was sent.
  mutating func complete(orderID: String, originalID: String?) -> Bool {
    guard stage == .paying || stage == .interrupted else { return false }
    transaction.transactionIdentifier = orderID
    transaction.originalTransactionIdentifier = originalID
    end(.purchased)
    return true
  }

  /// Fails the transaction. Returns false if its outcome is final.
  mutating func fail(_ error: OnsidePaymentTransactionError) -> Bool {
    guard stage != .ended, stage != .finishing else { return false }
    transaction.error = error
    end(.failed)
    return true
  }

  /// The person agreed to buy in this storefront, with the product as it is sold there. Returns false unless it is being processed.
  mutating func move(to storefront: OnsideStorefront, product: OnsideProduct) -> Bool {
    guard stage == .processing else { return false }
    transaction.storefront = storefront
    transaction.payment = transaction.payment.with(product)
    return true
  }

  /// The person agreed to pay this. Returns false unless the transaction is being processed.
  mutating func agree(to charge: OnsideCharge) -> Bool {
    guard stage == .processing else { return false }
    self.charge = charge
    return true
  }

  /// Makes observers receive a final transaction once more. Returns false if its outcome is not final.
  mutating func announceAgain() -> Bool {
    guard stage == .ended else { return false }
    needsAnnouncement = true
    return true
  }

  /// The app finishes the transaction.
  mutating func finish() -> FinishAction {
    switch stage {
    case .queued, .processing: return .removeNow
    // The person cannot withdraw a payment that waits for approval, as with one in progress. This is our choice.
    case .awaitingApproval, .paying, .interrupted, .finishing: return .none
    case .ended:
      stage = .finishing
      return .removeAfterCompletion
    }
  }

  /// A new launch takes the transaction over. It starts again if its payment was not sent, and observers receive it again.
  mutating func carryOver(storefront: OnsideStorefront?) {
    startOver()
    needsAnnouncement = true
    agreedCountryCode = nil
    // The ids of storefronts last for one launch. The country stays.
    if let storefront, storefront.countryCode == transaction.storefront.countryCode {
      transaction.storefront = storefront
    }
  }

  /// The work on the transaction has stopped. Unless its payment was sent, it waits for its turn again.
  mutating func startOver() {
    guard stage == .processing else { return }
    stage = .queued
    charge = nil
  }

  private mutating func end(_ state: OnsidePaymentTransactionState) {
    stage = .ended
    transaction.transactionState = state
    needsAnnouncement = true
  }
}

/// The state of a transaction that a test adds as if an earlier launch had begun it. For a paid transaction, a test adds an unfinished
/// purchase instead.
public enum OnsideTransactionSeed: Sendable, Hashable {
  /// It has failed.
  case failed(OnsidePaymentTransactionError)
  /// Someone else must approve it ("ask to buy").
  case awaitingApproval
  /// Its payment was interrupted.
  case interrupted
}

/// What a transaction waits for outside of the app.
public enum OnsideTransactionWait: String, Sendable, CaseIterable {
  /// Someone else must approve it ("ask to buy").
  case approval
  /// The person must resolve an interruption.
  case interruption
}
