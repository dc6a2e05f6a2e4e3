import COpenSSL
import Foundation

/// One end of a TLS connection (RFC 8446, RFC 5246) over bytes, without a socket: what the peer sends goes in, plain bytes come out, and
/// the other way round.
///
/// OpenSSL reads what has come where it lies and appends what is to be sent to one array: nothing is copied but by ciphers and record buffers.
/// After a failure nothing but ``takeOutput()`` is of use, which may hold an alert that tells the peer.
final class TLSEngine {
  /// Whether the handshake is complete.
  private(set) var isEstablished = false
  /// Whether the peer has said that it will send nothing more.
  private(set) var peerHasFinished = false

  private let ssl: OpaquePointer
  private let serverName: String?
  private var hasReceived = false
  private var hasFailed = false
  /// What has come and is not read; valid while `receive` runs.
  fileprivate var input = UnsafeRawBufferPointer(start: nil, count: 0)
  fileprivate var output: [UInt8] = []

  /// The end of a server.
  init(server context: TLSContext) {
    ssl = Self.make(context)
    serverName = nil
    connectStreams()
    SSL_set_accept_state(ssl)
  }

  /// The end of a client that asks for `serverName`, a name or an address without brackets, and wants a certificate for it, unless
  /// `acceptsAnyCertificate`. What opens the handshake waits in ``takeOutput()``.
  init(client context: TLSContext, serverName: String, acceptsAnyCertificate: Bool) {
    ssl = Self.make(context)
    self.serverName = serverName
    connectStreams()
    let parameters = SSL_get0_param(ssl)
    // An address is no name that one asks for, and stands elsewhere in a certificate.
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
    // Frees both ends' streams as well.
    SSL_free(ssl)
  }

  /// Takes what the peer has sent. Plain bytes are handed to `deliver` in pieces of at most the size of `buffer`, which holds them.
  func receive(
    _ bytes: UnsafeRawBufferPointer,
    through buffer: UnsafeMutableRawBufferPointer,
    _ deliver: (UnsafeRawBufferPointer) -> Void
  ) throws(TLSFailure) {
    guard !hasFailed, let first = bytes.first else { return }
    // The first thing is a handshake's record or, to a client, an alert's: OpenSSL's versions differ in what they say of anything else.
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

  /// Encrypts bytes; the handshake must be complete.
  func send(_ bytes: [UInt8]) throws(TLSFailure) {
    guard !hasFailed, !bytes.isEmpty else { return }
    output.reserveCapacity(output.count + bytes.count + (bytes.count / 16_384 + 1) * 64)
    ERR_clear_error()
    var written = 0
    guard bytes.withUnsafeBytes({ SSL_write_ex(ssl, $0.baseAddress, $0.count, &written) }) == 1 else { throw fail() }
  }

  /// Says that nothing more will be sent (close_notify); the peer may go on.
  func finish() {
    guard isEstablished, !hasFailed else { return }
    ERR_clear_error()
    SSL_shutdown(ssl)
  }

  /// Takes what is to be sent to the peer.
  func takeOutput() -> [UInt8] {
    guard !output.isEmpty else { return [] }
    defer { output = [] }
    return output
  }

  /// The protocol that both ends have agreed on by ALPN (RFC 7301); nil when there is none.
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
      // One call gives a record at most. With several in one piece whoever reads has less to do.
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

  private static func make(_ context: TLSContext) -> OpaquePointer {
    guard let ssl = SSL_new(context.pointer) else { preconditionFailure("OpenSSL has no memory for a connection") }
    return ssl
  }

  private func connectStreams() {
    guard let stream = BIO_new(TLSEngineStream.method) else {
      preconditionFailure("OpenSSL has no memory for a stream")
    }
    BIO_set_data(stream, Unmanaged.passUnretained(self).toOpaque())
    BIO_set_init(stream, 1)
    SSL_set_bio(ssl, stream, stream)
  }
}

/// How OpenSSL reads and writes the bytes of a ``TLSEngine``.
private enum TLSEngineStream {
  // Made once, never changed.
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
