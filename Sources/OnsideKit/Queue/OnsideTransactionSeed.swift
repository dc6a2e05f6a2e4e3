/// How far a transaction of an earlier launch has come that is made on purpose. One that was paid is a purchase that was not finished.
public enum OnsideTransactionSeed: Sendable, Hashable {
  /// It has failed.
  case failed(OnsidePaymentTransactionError)
  /// Someone else was asked to pay ("ask to buy").
  case awaitingApproval
  /// Its payment was interrupted.
  case interrupted
}
