import BridgeRuntime
public import HTTPTypes

extension HTTPExchange {
  /// Answers 101 (RFC 9110, section 15.2.2), and connects both connections as a tunnel: from now on, bytes from one
  /// peer go to the other unchanged, until both have ended.
  ///
  /// If this exchange already has an answer, or its peer has gone, it closes the other connection instead.
  ///
  /// - Parameters:
  ///   - upstream: An exchange that was answered with 101.
  ///   - fields: The fields of the 101.
  public func tunnel(to upstream: HTTPClientExchange, fields: HTTPFields) {
    guard let upstreamConnection = upstream.takeConnection() else { return }
    let (upstreamStream, answered) = upstreamConnection.detach()
    guard !hasBegun, !isAborted else { return upstreamStream.close() }
    let ends = TunnelEnd.join(connection.stream, upstreamStream)
    upstreamConnection.hand(to: ends.1)
    ends.1.send(switchProtocols(fields: fields, to: ends.0))
    ends.0.send(answered)
    upstreamStream.setReading(true)
  }
}
