import BridgeCore
import Essentials

extension OnsideLaunch {
  /// Why a history cannot be requested, or nil. If both reasons apply, local testing wins; the contract does not say.
  func historyObstacle() -> OnsideSignedInAppsHistoryRequestError? {
    if state.settings.localTesting { return .notSupportedInLocalTesting }
    return state.account == nil ? .notLoggedIn : nil
  }

  /// Returns the signed history of the account. Without a signer it fails with `internalError`.
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
