public import BridgeRuntime

/// A request for the signed history (purchasing guide, "SDK API: Getting a signed JWS on the client").
///
/// Whoever makes it keeps it: when nobody does any more, it is cancelled and the delegate hears nothing.
@BridgeActor
public final class OnsideSignedInAppsHistoryRequest {
  /// Receives the outcome.
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
    task = Task { [weak self, launch] in
      let result = await launch.signedHistory()
      self?.finish(result)
    }
  }

  /// Cancels the request: it fails with ``OnsideSignedInAppsHistoryRequestError/cancelled``, unless it is over.
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
