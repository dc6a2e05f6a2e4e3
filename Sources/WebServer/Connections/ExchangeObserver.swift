public import BridgeRuntime
public import HTTPTypes

/// Sees what goes through an exchange, for a log or a record of it.
@BridgeActor
public protocol ExchangeObserver: AnyObject {
  /// The handler has read a piece of the request's body.
  func received(_ bytes: [UInt8])
  /// The head of the final response is on its way. The exchange's request is the one that the client has made.
  func began(_ exchange: HTTPExchange, _ status: HTTPResponse.Status, _ fields: HTTPFields)
  /// A piece of the response's body is on its way.
  func sent(_ bytes: [UInt8])
  /// The exchange is over, and the last call. `isComplete` is false if the response was cut, or never began.
  func ended(_ exchange: HTTPExchange, isComplete: Bool)
}
