public import BridgeRuntime

/// Receives the outcome of a products request (products guide, step 2).
@BridgeActor
public protocol OnsideProductsRequestDelegate: AnyObject {
  /// The products are there.
  func onsideProductsRequest(_ request: OnsideProductsRequest, didReceive response: OnsideProductsResponse)

  /// The request failed.
  func onsideProductsRequest(_ request: OnsideProductsRequest, didFailWithError error: OnsideProductsRequestError)

  /// The request is over, after one of the others.
  func onsideProductsRequestDidFinish(_ request: OnsideProductsRequest)
}

extension OnsideProductsRequestDelegate {
  /// Does nothing.
  public func onsideProductsRequestDidFinish(_ request: OnsideProductsRequest) {}
}
