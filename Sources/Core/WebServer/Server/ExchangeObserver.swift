public import BridgeRuntime
public import HTTPTypes

/// Observes an exchange, for a log or a recording.
@BridgeActor
public protocol ExchangeObserver: AnyObject {
  /// The handler has read a piece of the request's body.
  func received(_ bytes: [UInt8])
  /// The head of the final response was passed to the connection, with these fields. Behind a proxy, the exchange has
  /// the client's original request by now (``HTTPExchange/applyForwarded(_:)``).
  func began(_ exchange: HTTPExchange, _ status: HTTPResponse.Status, _ fields: HTTPFields)
  /// A piece of the response's body was passed to the connection.
  func sent(_ bytes: [UInt8])
  /// The exchange is over. This is the last call. `isComplete` is false if the response was cut or never began.
  func ended(_ exchange: HTTPExchange, isComplete: Bool)
}
