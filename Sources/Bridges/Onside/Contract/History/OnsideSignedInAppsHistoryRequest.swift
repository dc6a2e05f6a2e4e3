import BridgeCore
public import BridgeRuntime
public import Essentials

/// A request for the signed history (purchasing guide, "SDK API: Getting a signed JWS on the client").
///
/// Keep a reference to it. Without one the request is cancelled, and the delegate is not called.
@BridgeActor
public final class OnsideSignedInAppsHistoryRequest {
  /// Receives the outcome. Held weakly.
  public weak var delegate: (any OnsideSignedInAppsHistoryRequestDelegate)?

  private let launch: OnsideLaunch
  private var machine = RequestMachine()
  private var task: Task<Void, Never>?

  init(launch: OnsideLaunch) {
    self.launch = launch
  }

  deinit {
    task?.cancel()
  }

  /// Starts the request. A request starts once; later calls have no effect.
  public func start() {
    guard machine.start() else { return }
    let end = launch.endOfDelay(.getSignedInAppsHistory)
    task = BridgeActor.begin { [weak self, launch] in
      let result = await launch.signedHistory(at: end)
      self?.finish(result)
    }
  }

  /// Cancels the request. Unless it has finished, it fails with ``OnsideSignedInAppsHistoryRequestError/cancelled``.
  public func stop() {
    finish(.failure(.cancelled))
    task?.cancel()
  }

  private func finish(_ result: Result<OnsideSignedInAppsHistory, OnsideSignedInAppsHistoryRequestError>) {
    guard machine.finish() else { return }
    switch result {
    case .success(let history): delegate?.onsideSignedInAppsHistoryRequest(self, didReceive: history)
    case .failure(let error): delegate?.onsideSignedInAppsHistoryRequest(self, didFailWithError: error)
    }
    delegate?.onsideSignedInAppsHistoryRequestDidFinish(self)
  }
}

/// Receives the outcome of a request for the signed history. The guide names the protocol; the methods follow those of products requests.
@BridgeActor
public protocol OnsideSignedInAppsHistoryRequestDelegate: AnyObject {
  /// The request succeeded.
  func onsideSignedInAppsHistoryRequest(
    _ request: OnsideSignedInAppsHistoryRequest,
    didReceive history: OnsideSignedInAppsHistory
  )

  /// The request failed.
  func onsideSignedInAppsHistoryRequest(
    _ request: OnsideSignedInAppsHistoryRequest,
    didFailWithError error: OnsideSignedInAppsHistoryRequestError
  )

  /// The request has finished. Called after one of the other two.
  func onsideSignedInAppsHistoryRequestDidFinish(_ request: OnsideSignedInAppsHistoryRequest)
}

/// A delegate leaves out the events that it does not need.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension OnsideSignedInAppsHistoryRequestDelegate {
  public func onsideSignedInAppsHistoryRequestDidFinish(_ request: OnsideSignedInAppsHistoryRequest) {}
}

/// The signed history of the account's purchases (purchasing guide, "Client-Side Transaction History").
public struct OnsideSignedInAppsHistory: Sendable, Hashable {
  /// The compact JWS as bytes.
  public let data: Data
  /// The JWS as text, if it is UTF-8.
  public var string: String? { String(data: data, encoding: .utf8) }
}

/// Signs histories with the store's key.
public protocol HistorySigner: Sendable {
  /// Signs a payload as a compact JWS (RFC 7515, section 7.1).
  func sign(payload: [UInt8]) async throws -> String
}

extension OnsideLaunch {
  /// Why a history cannot be requested, or nil. If both reasons apply, local testing wins; the contract does not say.
  func historyObstacle() -> OnsideSignedInAppsHistoryRequestError? {
    if state.settings.localTesting { return .notSupportedInLocalTesting }
    return state.account == nil ? .notLoggedIn : nil
  }

  /// Returns the signed history of the account at the end of its delay. Without a signer it fails with `internalError`.
  func signedHistory(
    at end: BridgeInstant?
  ) async -> Result<OnsideSignedInAppsHistory, OnsideSignedInAppsHistoryRequestError> {
    await wait(until: end)
    await roundTrips.wait()
    if let error = takeError(of: .getSignedInAppsHistory, as: OnsideSignedInAppsHistoryRequestError.self) {
      return .failure(error)
    }
    if let obstacle = historyObstacle() { return .failure(obstacle) }
    guard let account = state.account, let historySigner else { return .failure(.internalError) }
    let payload = ledger.history(
      ofAccount: account.id, belongs: belonging(to: account.id), bundleIdentifier: configuration.bundleIdentifier,
      at: now)
    do {
      let text = try await historySigner.sign(payload: Array(payload.jsonText.utf8))
      return .success(OnsideSignedInAppsHistory(data: Data(text.utf8)))
    } catch {
      return .failure(.internalError)
    }
  }
}
