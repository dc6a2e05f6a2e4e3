public import BridgeRuntime

/// A request for products (products guide, "The Fetching Process").
///
/// ```swift
/// let request = Onside.makeProductsRequest(productIdentifiers: ["coins"])
/// request.delegate = self
/// productsRequest = request   // keep it
/// request.start()
/// ```
///
/// Keep a reference to it. Without one the request is cancelled, and the delegate is not called.
@BridgeActor
public final class OnsideProductsRequest {
  /// The requested identifiers.
  public let productIdentifiers: Set<String>
  /// Receives the outcome. Held weakly.
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
    let end = launch.endOfDelay(.loadProducts)
    task = BridgeActor.begin { [weak self, launch] in
      await launch.wait(until: end)
      await launch.roundTrips.wait()
      self?.receive()
    }
  }

  /// Cancels the request. Unless it has finished, it fails with ``OnsideProductsRequestError/cancelled``.
  public func stop() {
    finish(.failure(.cancelled))
    task?.cancel()
  }

  private func receive() {
    let catalogue = launch.configuration.catalogue.products.map(\.id)
    do throws(OnsideProductsRequestError) {
      let found = try launch.loadProducts(
        catalogue.filter(productIdentifiers.contains) + productIdentifiers.subtracting(catalogue))
      finish(
        .success(
          OnsideProductsResponse(
            products: found.found.map(\.product), invalidProductIdentifiers: Set(found.invalid))))
    } catch {
      finish(.failure(error))
    }
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

/// Receives the outcome of a products request (products guide, step 2).
@BridgeActor
public protocol OnsideProductsRequestDelegate: AnyObject {
  /// The request succeeded.
  func onsideProductsRequest(_ request: OnsideProductsRequest, didReceive response: OnsideProductsResponse)

  /// The request failed.
  func onsideProductsRequest(_ request: OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError)

  /// The request has finished. Called after one of the other two.
  func onsideProductsRequestDidFinish(_ request: OnsideProductsRequest)
}

/// A delegate leaves out the events that it does not need.
// swift-format-ignore: AllPublicDeclarationsHaveDocumentation
extension OnsideProductsRequestDelegate {
  public func onsideProductsRequestDidFinish(_ request: OnsideProductsRequest) {}
}

/// The response to a products request (products guide, step 2).
public struct OnsideProductsResponse: Sendable, Hashable {
  /// The products that are sold in the region, in the catalogue's order.
  public let products: [OnsideProduct]
  /// The identifiers that are unknown, or not sold in the region.
  public let invalidProductIdentifiers: Set<String>
}

extension OnsideLaunch {
  /// The products with these identifiers in the current region, each once and in this order, and the identifiers that are not sold there; or
  /// the error that a test has set.
  func loadProducts(_ identifiers: [String]) throws(OnsideProductsRequestError) -> PricedProducts.Found {
    if let error = takeError(of: .loadProducts, as: OnsideProductsRequestError.self) { throw error }
    return pricedProducts.find(identifiers, of: configuration, in: territory, locale: state.settings.locale)
  }

  /// Notes that pages have loaded products, so that `purchase` finds them.
  func noteLoaded(_ products: [PricedProducts.Entry]) {
    guard products.contains(where: { !$0.isLoaded }) else { return }
    var loaded = state.launch.loadedProducts
    for entry in products {
      loaded[entry.product.productIdentifier] = entry.product
      entry.isLoaded = true
    }
    state.launch.loadedProducts = loaded
  }
}
