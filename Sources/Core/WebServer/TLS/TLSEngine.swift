import COpenSSL
import Essentials

/// One end of a TLS connection (RFC 8446, RFC 5246) without a socket. It decrypts the peer's bytes, and encrypts bytes
/// for the peer.
///
/// OpenSSL reads the input in place, and appends its output to one array. After a failure, call only ``takeOutput()``,
/// which may return an alert for the peer.
final class TLSEngine {
  /// Whether the handshake is complete.
  private(set) var isEstablished = false
  /// Whether the peer has sent close_notify.
  private(set) var peerHasFinished = false

  private let ssl: OpaquePointer
  /// The name of the server at the other end; nil if this is the server.
  private let serverName: String?
  private var hasReceived = false
  private var hasFailed = false
  /// Received bytes that are not read yet; valid while `receive` runs.
  fileprivate var input = UnsafeRawBufferPointer(start: nil, count: 0)
  fileprivate var output: [UInt8] = []

  /// Creates the server's end.
  /// - Throws: ``TLSFailure/noMemory``.
  init(server context: TLSContext) throws(TLSFailure) {
    ssl = try Self.make(context)
    serverName = nil
    connectStreams()
    SSL_set_accept_state(ssl)
  }

  /// Creates the client's end, and begins the handshake: send what ``takeOutput()`` returns.
  ///
  /// - Parameters:
  ///   - context: The settings.
  ///   - serverName: The server's name, or its address without brackets. The certificate must be valid for it.
  ///   - acceptsAnyCertificate: Whether to accept any certificate without a check.
  ///   - offersHTTP2: Whether the server may choose HTTP/2 instead of HTTP/1.1.
  /// - Throws: ``TLSFailure/noMemory``.
  init(
    client context: TLSContext, serverName: String, acceptsAnyCertificate: Bool, offersHTTP2: Bool = false
  ) throws(TLSFailure) {
    ssl = try Self.make(context)
    footbridge_ssl_offer_http(ssl, offersHTTP2 ? 1 : 0)
    self.serverName = serverName
    connectStreams()
    let parameters = SSL_get0_param(ssl)
    // An address must not be sent as the server name (SNI; RFC 6066, section 3), and is in another field of the
    // certificate.
    if X509_VERIFY_PARAM_set1_ip_asc(parameters, serverName) != 1 {
      let name = serverName.hasSuffix(".") ? String(serverName.dropLast()) : serverName
      _ = footbridge_ssl_ask_for(ssl, name)
      X509_VERIFY_PARAM_set_hostflags(parameters, UInt32(X509_CHECK_FLAG_NO_PARTIAL_WILDCARDS))
      SSL_set1_host(ssl, name)
    }
    if acceptsAnyCertificate { SSL_set_verify(ssl, SSL_VERIFY_NONE, nil) }
    SSL_set_connect_state(ssl)
    SSL_do_handshake(ssl)
  }

  deinit {
    // This also frees the stream.
    SSL_free(ssl)
  }

  /// Takes bytes from the peer, and calls `deliver` with the decrypted bytes, in pieces.
  ///
  /// - Parameters:
  ///   - bytes: The peer's bytes.
  ///   - buffer: The memory for a piece. Its size is the largest size of a piece.
  ///   - deliver: Called with each piece, which is valid during the call only.
  /// - Throws: ``TLSFailure``, after the bytes before it were delivered.
  func receive(
    _ bytes: UnsafeRawBufferPointer,
    through buffer: UnsafeMutableRawBufferPointer,
    _ deliver: (UnsafeRawBufferPointer) -> Void
  ) throws(TLSFailure) {
    guard !hasFailed, let first = bytes.first else { return }
    // The first record must be a handshake (22) or, from a server, an alert (21). For anything else, different versions
    // of OpenSSL report different errors.
    guard hasReceived || first == 22 || (first == 21 && serverName != nil) else {
      hasFailed = true
      throw .notTLS
    }
    hasReceived = true
    input = bytes
    defer { input = UnsafeRawBufferPointer(start: nil, count: 0) }
    if !isEstablished { try shakeHands() }
    if isEstablished { try read(through: buffer, deliver) }
  }

  /// Encrypts bytes for ``takeOutput()``. The handshake must be complete.
  /// - Throws: ``TLSFailure``.
  func send(_ bytes: [UInt8]) throws(TLSFailure) {
    guard !hasFailed, !bytes.isEmpty else { return }
    output.reserveCapacity(output.count + bytes.count + (bytes.count / 16_384 + 1) * 64)
    ERR_clear_error()
    var written = 0
    guard bytes.withUnsafeBytes({ SSL_write_ex(ssl, $0.baseAddress, $0.count, &written) }) == 1 else { throw fail() }
  }

  /// Queues close_notify: this end sends nothing more. The peer may continue to send.
  func finish() {
    guard isEstablished, !hasFailed else { return }
    ERR_clear_error()
    SSL_shutdown(ssl)
  }

  /// Takes the bytes to send to the peer.
  func takeOutput() -> [UInt8] {
    guard !output.isEmpty else { return [] }
    defer { output = [] }
    return output
  }

  /// The protocol that both ends agreed on by ALPN (RFC 7301); nil for none.
  var applicationProtocol: String? {
    var name: UnsafePointer<UInt8>?
    var count: UInt32 = 0
    SSL_get0_alpn_selected(ssl, &name, &count)
    return name.map { String(decoding: UnsafeBufferPointer(start: $0, count: Int(count)), as: UTF8.self) }
  }

  // MARK: OpenSSL

  private func shakeHands() throws(TLSFailure) {
    ERR_clear_error()
    let status = SSL_do_handshake(ssl)
    if status == 1 {
      isEstablished = true
    } else if SSL_get_error(ssl, status) != SSL_ERROR_WANT_READ {
      throw fail()
    }
  }

  private func read(
    through buffer: UnsafeMutableRawBufferPointer,
    _ deliver: (UnsafeRawBufferPointer) -> Void
  ) throws(TLSFailure) {
    while !peerHasFinished {
      var (filled, status) = (0, Int32(1))
      // One call returns at most one record (16 KiB). Fill the buffer, so that there are fewer calls of `deliver`.
      while status == 1, filled < buffer.count {
        var count = 0
        ERR_clear_error()
        status = SSL_read_ex(ssl, buffer.baseAddress.map { $0 + filled }, buffer.count - filled, &count)
        if status == 1 { filled += count }
      }
      let reason = status == 1 ? SSL_ERROR_NONE : SSL_get_error(ssl, status)
      let failure: TLSFailure? =
        [SSL_ERROR_NONE, SSL_ERROR_WANT_READ, SSL_ERROR_ZERO_RETURN].contains(reason) ? nil : fail()
      peerHasFinished = reason == SSL_ERROR_ZERO_RETURN
      if filled > 0 { deliver(UnsafeRawBufferPointer(rebasing: buffer[..<filled])) }
      if let failure { throw failure }
      if reason == SSL_ERROR_WANT_READ { return }
    }
  }

  private func fail() -> TLSFailure {
    hasFailed = true
    let verification = SSL_get_verify_mode(ssl) == SSL_VERIFY_NONE ? Int(X509_V_OK) : SSL_get_verify_result(ssl)
    return TLSFailure.last(verification: verification, name: serverName)
  }

  /// Makes the connection and its stream.
  private static func make(_ context: TLSContext) throws(TLSFailure) -> OpaquePointer {
    ERR_clear_error()
    defer { ERR_clear_error() }
    guard let ssl = SSL_new(context.pointer) else { throw .noMemory }
    guard let stream = BIO_new(TLSEngineStream.method) else {
      SSL_free(ssl)
      throw .noMemory
    }
    SSL_set_bio(ssl, stream, stream)
    return ssl
  }

  private func connectStreams() {
    let stream = SSL_get_rbio(ssl)
    BIO_set_data(stream, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(stream, 1)
  }
}

/// The stream (BIO) through which OpenSSL reads the input of a ``TLSEngine``, and writes its output.
private enum TLSEngineStream {
  // Created once, never changed.
  nonisolated(unsafe) static let method: OpaquePointer? = {
    let method = BIO_meth_new(BIO_get_new_index() | BIO_TYPE_SOURCE_SINK, "footbridge")
    BIO_meth_set_read_ex(method) { stream, buffer, size, count in
      guard let engine = engine(of: stream), !engine.input.isEmpty else {
        BIO_set_flags(stream, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
        return 0
      }
      BIO_clear_flags(stream, BIO_FLAGS_READ | BIO_FLAGS_SHOULD_RETRY)
      let taken = min(size, engine.input.count)
      if let buffer, let start = engine.input.baseAddress { memcpy(buffer, start, taken) }
      engine.input = UnsafeRawBufferPointer(rebasing: engine.input[taken...])
      count?.pointee = taken
      return 1
    }
    BIO_meth_set_write_ex(method) { stream, bytes, size, count in
      guard let engine = engine(of: stream) else { return 0 }
      engine.output.append(contentsOf: UnsafeRawBufferPointer(start: bytes, count: size))
      count?.pointee = size
      return 1
    }
    BIO_meth_set_ctrl(method) { _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0 }
    return method
  }()

  private static func engine(of stream: OpaquePointer?) -> TLSEngine? {
    BIO_get_data(stream).map { Unmanaged<TLSEngine>.fromOpaque($0).takeUnretainedValue() }
  }
}
