public import BridgeRuntime

/// Receives the outcome of a request for the signed history. The guide names the protocol; the methods follow those of products requests.
@BridgeActor
public protocol OnsideSignedInAppsHistoryRequestDelegate: AnyObject {
  /// The history is there.
  func onsideSignedInAppsHistoryRequest(
    _ request: OnsideSignedInAppsHistoryRequest,
    didReceive history: OnsideSignedInAppsHistory
  )

  /// The request failed.
  func onsideSignedInAppsHistoryRequest(
    _ request: OnsideSignedInAppsHistoryRequest,
    didFailWithError error: OnsideSignedInAppsHistoryRequestError
  )

  /// The request is over, after one of the others.
  func onsideSignedInAppsHistoryRequestDidFinish(_ request: OnsideSignedInAppsHistoryRequest)
}

extension OnsideSignedInAppsHistoryRequestDelegate {
  /// Does nothing.
  public func onsideSignedInAppsHistoryRequestDidFinish(_ request: OnsideSignedInAppsHistoryRequest) {}
}
