/// What a transaction waits for that has left the person's hands.
public enum OnsideTransactionWait: String, Sendable, CaseIterable {
  /// Someone else is to agree to pay ("ask to buy").
  case approval
  /// The person is to resolve an interruption.
  case interruption
}
