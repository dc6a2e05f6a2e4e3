import BridgeRuntime
import HTTP1
import HTTPTypes

/// One HTTP/1.1 connection to a server, and its current exchange.
@BridgeActor
final class HTTPClientConnection: ByteStreamDelegate, HTTPClientCarrier {
  /// The server.
  let origin: HTTPOrigin
  private let stream: any ByteStream
  private weak var client: HTTPClient?
  private let limits: HTTPClientLimits
  private var machine: ClientConnectionStateMachine
  private var exchange: HTTPClientExchange?
  private var exchangeCount = 0
  private var awaitsHead = false
  private var requestHasEnded = false
  /// Gets the stream's events once HTTP has ended on the connection.
  private var successor: (any ByteStreamDelegate)?

  init(stream: any ByteStream, origin: HTTPOrigin, client: HTTPClient) {
    self.stream = stream
    self.origin = origin
    self.client = client
    limits = client.limits
    machine = ClientConnectionStateMachine(limits: limits.http)
    stream.delegate = self
  }

  // MARK: From the exchange

  /// Sends the head of a request, and begins to wait for its response.
  func begin(_ exchange: HTTPClientExchange) {
    self.exchange = exchange
    exchangeCount += 1
    awaitsHead = true
    requestHasEnded = !exchange.head.bodyFraming.hasBody
    machine.beginRequest(method: exchange.head.method, offersUpgrade: !exchange.head.upgradeProtocols.isEmpty)
    stream.setTimer(limits.responseTimeout)
    let head = exchange.head
    do throws(MessageDefect) {
      stream.write(try HeadEncoder.encode(head.method, head.target, fields: head.fields))
      exchange.begun(on: self)
    } catch {
      self.exchange = nil
      end()
      exchange.fail(.invalidRequest(error))
    }
  }

  var queuedByteCount: Int { stream.queuedByteCount }
  let mayHandBack = false

  func sendBody(_ bytes: [UInt8]) {
    stream.write(exchange?.head.bodyFraming == .chunked ? ChunkedEncoder.chunk(bytes) : bytes)
    restartTimer()
  }

  func endBody(trailers: HTTPFields) {
    if exchange?.head.bodyFraming == .chunked { stream.write(ChunkedEncoder.end(trailers: trailers)) }
    requestHasEnded = true
    restartTimer()
  }

  func setReading(_ isReading: Bool) {
    stream.setReading(isReading)
  }

  func close() {
    stream.close()
  }

  /// Gives the stream to another owner, after a response that ends HTTP. Also returns the bytes that were read after
  /// its head.
  func detach() -> (stream: any ByteStream, remainder: [UInt8]) {
    exchange = nil
    stream.setTimer(nil)
    return (stream, machine.takeRemainder())
  }

  /// Forwards the stream's events to another delegate from now on.
  func hand(to successor: any ByteStreamDelegate) {
    self.successor = successor
  }

  // MARK: From the stream

  func streamReceived(_ bytes: UnsafeRawBufferPointer) {
    if let successor { return successor.streamReceived(bytes) }
    if awaitsHead { exchange?.receivedHead(byteCount: bytes.count) }
    machine.receive(bytes)
    process()
  }

  func streamReceivedEnd() {
    if let successor { return successor.streamReceivedEnd() }
    machine.receiveEnd()
    process()
  }

  func streamSent() {
    if let successor { return successor.streamSent() }
    restartTimer()
    exchange?.sent(remaining: stream.queuedByteCount)
  }

  func streamTimerFired() {
    if let successor { return successor.streamTimerFired() }
    if let exchange, awaitsHead {
      self.exchange = nil
      exchange.fail(.timedOut(origin: origin, limits.responseTimeout ?? .zero))
    }
    end()
  }

  func streamClosed() {
    client?.connectionEnded(self)
    if let successor { return successor.streamClosed() }
    machine.receiveEnd(isClean: false)
    process()
    exchange?.fail(.closed(origin: origin))
    exchange = nil
  }

  // MARK: Responses

  private func process() {
    while true {
      switch machine.nextAction() {
      case .needsMoreBytes, .idle: return
      case .informational(let head):
        restartTimer()
        exchange?.receive(head)
      case .head(let head):
        awaitsHead = false
        stream.setTimer(nil)
        exchange?.receive(head)
      case .body(let bytes): exchange?.receive(bytes)
      case .end(let trailers): finish(trailers)
      case .fail(let defect): return fail(defect)
      case .closed: return end()
      }
    }
  }

  private func finish(_ trailers: HTTPFields) {
    let finished = exchange
    exchange = nil
    // If the request was not sent completely, the server may still wait for the rest.
    if machine.isReusable, requestHasEnded, stream.queuedByteCount == 0, client?.retain(self) == true {
      stream.setReading(true)
      stream.setTimer(limits.idleTimeout)
    } else {
      end()
    }
    finished?.receiveEnd(trailers)
  }

  private func fail(_ defect: MessageDefect) {
    end()
    guard let failed = exchange else { return }
    exchange = nil
    if defect == .noResponse, exchangeCount > 1, failed.isRepeatable {
      failed.connectionWasStale()
    } else {
      failed.fail(defect == .noResponse ? .closed(origin: origin) : .invalidResponse(origin: origin, defect))
    }
  }

  /// Closes the connection. Removes it from the client at once, so that no request reuses it before it is closed.
  private func end() {
    client?.connectionEnded(self)
    stream.finishWriting()
    stream.close()
  }

  /// Restarts the response timeout. It runs only while the server must take bytes of the request, or answer it.
  private func restartTimer() {
    guard exchange != nil, awaitsHead else { return }
    stream.setTimer(requestHasEnded || stream.queuedByteCount > 0 ? limits.responseTimeout : nil)
  }
}
