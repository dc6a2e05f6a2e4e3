public import BridgeRuntime

/// A request for products (products guide, "The Fetching Process").
///
/// Whoever makes it keeps it: when nobody does any more, it is cancelled and the delegate hears nothing.
@BridgeActor
public final class OnsideProductsRequest {
  /// The identifiers that are asked for.
  public let productIdentifiers: Set<String>
  /// Receives the outcome.
  public weak var delegate: (any OnsideProductsRequestDelegate)?

  private let launch: OnsideLaunch
  private var machine = RequestMachine()
  private var task: Task<Void, Never>?

  init(launch: OnsideLaunch, productIdentifiers: Set<String>) {
    self.launch = launch
    self.productIdentifiers = productIdentifiers
  }

  deinit {
    task?.cancel()
  }

  /// Starts the request. A request starts once; later calls have no effect.
  public func start() {
    guard machine.start() else { return }
    task = Task { [weak self, launch] in
      await launch.delay(.loadProducts)
      self?.receive()
    }
  }

  /// Cancels the request: it fails with ``OnsideProductsRequestError/cancelled``, unless it is over.
  public func stop() {
    finish(.failure(.cancelled))
    task?.cancel()
  }

  private func receive() {
    finish(launch.loadProducts(productIdentifiers))
  }

  private func finish(_ result: Result<OnsideProductsResponse, OnsideProductsRequestError>) {
    guard machine.finish() else { return }
    switch result {
    case .success(let response): delegate?.onsideProductsRequest(self, didReceive: response)
    case .failure(let error): delegate?.onsideProductsRequest(self, didFailWithError: error)
    }
    delegate?.onsideProductsRequestDidFinish(self)
  }
}
