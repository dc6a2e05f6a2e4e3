package import BridgeCore
import BridgeRuntime
import OnsideKit

extension Session {
  /// The app's store; nil if the bridge is switched off.
  var onside: Onside? { bridge(OnsideSession.self)?.onside }

  /// The `TransactionHistory` of one of the session's orders; nil if it has no such order.
  func transactionHistory(ofOrder orderID: String) -> JSONValue? { onside?.transactionHistory(ofOrder: orderID) }
}

extension SessionRegistry {
  /// The `TransactionHistory` of an order of any session; nil if there is none.
  ///
  /// - Throws: An error if the store cannot be read.
  package func transactionHistory(ofOrder orderID: String) async throws -> JSONValue? {
    for session in sessionByKey.values {
      if let history = session.transactionHistory(ofOrder: orderID) { return history }
    }
    guard let key = try await store?.key(ofOrder: orderID) else { return nil }
    return try await session(SessionKey(rawValue: key)).transactionHistory(ofOrder: orderID)
  }
}

extension SessionRules {
  /// Decides about a flow of the store by rules.
  func decide(_ flow: OnsideCall, _ data: [String: JSONValue]) -> OnsideOutcome? {
    if isEmpty { return nil }
    let subject = Subject(action: flow.action)
    guard let decided = decide(RuledCall(subject.action, data: .object(data)), about: subject) else { return nil }
    var error: String?
    if case .failure(let name) = decided.outcome.answer { error = name }
    return OnsideOutcome(error: error) { await self.hold(decided) }
  }
}

extension SessionProfile {
  package static let onsideContractMember = "contract"

  /// The contract of `window.onside`.
  var onsideContract: OnsideContract? {
    get { self["onside"][Self.onsideContractMember]?.stringValue.flatMap(OnsideContract.init) }
    set { self["onside"][Self.onsideContractMember] = newValue.map { .string($0.rawValue) } }
  }
}

extension SigningKey: HistorySigner {
  /// Signs a JSON text.
  ///
  /// - Throws: `JSONError` when the payload is not JSON.
  package func sign(payload: [UInt8]) async throws -> String {
    await sign(try JSONValue(parsing: payload))
  }
}
