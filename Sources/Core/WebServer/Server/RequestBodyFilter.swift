package import BridgeRuntime

/// Takes the body of a request before its reader does. See ``HTTPExchange/bodyFilter``.
@BridgeActor
package protocol RequestBodyFilter: AnyObject {
  /// Takes a piece of the body. Returns what the reader gets instead, which may be empty.
  func receive(_ piece: [UInt8]) -> [UInt8]

  /// The body is complete.
  ///
  /// - Throws: If the request is refused. The filter has answered it then.
  func end() throws
}
