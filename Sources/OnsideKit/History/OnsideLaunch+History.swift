import BridgeCore
import Foundation

extension OnsideLaunch {
  /// The reason why a history cannot even be asked for, or nil. Of the two, local testing wins; that is ours.
  func historyObstacle() -> OnsideSignedInAppsHistoryRequestError? {
    if state.settings.localTesting { return .notSupportedInLocalTesting }
    return state.account == nil ? .notLoggedIn : nil
  }

  /// The signed history of whoever is signed in. Without a signer it fails with `internalError`.
  func signedHistory() async -> Result<OnsideSignedInAppsHistory, OnsideSignedInAppsHistoryRequestError> {
    await delay(.getSignedInAppsHistory)
    if let error = takeError(of: .getSignedInAppsHistory, as: OnsideSignedInAppsHistoryRequestError.self) {
      return .failure(error)
    }
    if let obstacle = historyObstacle() { return .failure(obstacle) }
    guard let account = state.account, let historySigner else { return .failure(.internalError) }
    advanceLedger()
    let payload = state.ledger.history(
      ofAccount: account.id, bundleIdentifier: configuration.bundleIdentifier, at: clock.now.millisecondsSinceEpoch)
    do {
      let text = try await historySigner.sign(payload: Array(payload.jsonText.utf8))
      return .success(OnsideSignedInAppsHistory(data: Data(text.utf8)))
    } catch {
      return .failure(.internalError)
    }
  }
}
