package import BridgeCore
import BridgeRuntime
import OnsideKit
package import Sessions

extension Session {
  /// The app's store; nil if the bridge is switched off.
  var onside: Onside? { bridge(OnsideSession.self)?.onside }

  /// The `TransactionHistory` of one of the session's orders; nil if it has no such order.
  package func transactionHistory(ofOrder orderID: String) -> JSONValue? {
    onside?.transactionHistory(ofOrder: orderID)
  }
}

extension SessionRegistry {
  /// The key of a session that an order belongs to; nil if there is none.
  ///
  /// - Throws: An error if the store cannot be read.
  package func key(ofOrder orderID: String) async throws -> String? {
    if let session = running.first(where: { $0.transactionHistory(ofOrder: orderID) != nil }) {
      return session.key.rawValue
    }
    return try await store?.key(ofOrder: orderID)
  }

  /// The sessions that an order belongs to: several if they share a world. Empty if there is none.
  ///
  /// - Throws: An error if the store cannot be read.
  package func sessions(ofOrder orderID: String) async throws -> [Session] {
    let sessions = running.filter { $0.transactionHistory(ofOrder: orderID) != nil }
    if !sessions.isEmpty { return sessions }
    guard let key = try await store?.key(ofOrder: orderID) else { return [] }
    return [try await session(SessionKey(rawValue: key))]
  }
}

/// What rules decide about a request of the app's backend.
package struct BackendOutcome {
  /// The status of the answer; nil leaves the answer to the server.
  package let status: Int?
  /// The seconds in the field `Retry-After`.
  package let retryAfter: Int?
  /// Whether the connection is closed without an answer.
  package let cutsSocket: Bool
}

extension SessionRules {
  /// Decides about a flow of the store by rules.
  func decide(_ flow: OnsideCall, _ data: [String: JSONValue]) -> OnsideOutcome? {
    if isEmpty { return nil }
    let subject = Subject(action: flow.action)
    guard let decided = decide(RuledCall(subject.action, data: .object(data)), about: subject) else { return nil }
    var error: String?
    if case .failure(let name) = decided.outcome.answer { error = name }
    return OnsideOutcome(error: error, isBeforeSending: decided.outcome.killsApp) {
      await self.hold(decided)
      if decided.outcome.killsApp, !Task.isCancelled { await self.killAppNow() }
    }
  }

  /// Decides about a backend's request, and waits as the rule says. Nil if no rule decides.
  package func decideRequest(_ action: String, _ data: [String: JSONValue]) async -> BackendOutcome? {
    if isEmpty { return nil }
    guard let decided = decide(RuledCall(action, data: .object(data)), about: Subject(action: action)) else {
      return nil
    }
    await holdOrEnd(decided)
    guard case .status(let status, let retryAfter) = decided.outcome.answer else {
      return BackendOutcome(status: nil, retryAfter: nil, cutsSocket: decided.outcome.cutsSocket)
    }
    return BackendOutcome(status: status, retryAfter: retryAfter, cutsSocket: decided.outcome.cutsSocket)
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

extension SigningKeys: HistorySigner {
  /// Signs a JSON text.
  ///
  /// - Throws: `JSONError` when the payload is not JSON.
  package func sign(payload: [UInt8]) async throws -> String {
    await sign(try JSONValue(parsing: payload))
  }
}
