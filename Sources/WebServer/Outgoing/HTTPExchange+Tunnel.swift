import BridgeRuntime
public import HTTPTypes

extension HTTPExchange {
  /// Answers 101 (RFC 9110, section 15.2.2) with these fields and makes both connections one: what either peer sends from now on goes to
  /// the other as it is, until both have ended.
  ///
  /// `upstream` must have answered 101. Nothing happens when this exchange has been answered already or its peer has gone; `upstream` is
  /// then taken back.
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
