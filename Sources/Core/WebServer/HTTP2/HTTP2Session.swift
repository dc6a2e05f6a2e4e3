import BridgeRuntime
import CNghttp2
import HTTP1
import HTTPTypes

/// nghttp2 has no memory for a session.
struct HTTP2NoMemory: Error {}

/// One end of an HTTP/2 connection (RFC 9113) without a socket: bytes in, bytes out. nghttp2 reads and writes the
/// frames.
///
/// nghttp2 refuses malformed messages, more streams than announced, and floods of RST_STREAM, SETTINGS, PING and
/// CONTINUATION frames.
@BridgeActor
final class HTTP2Session {
  /// Which end of the connection it is.
  enum Role {
    case server, client
  }

  /// The next part of an outgoing body.
  enum Body {
    /// This many bytes; more follow.
    case bytes(Int)
    /// Nothing at the moment. Call ``HTTP2Session/resume(_:)`` when there is more.
    case nothingYet
    /// This many bytes, and then the end of the body.
    case end(Int)
    /// This many bytes, and then the end of the body with these trailers.
    case trailers(Int, HTTP2FieldSection)
  }

  // Never changed, and freed only when no other reference exists.
  private nonisolated(unsafe) let pointer: OpaquePointer
  /// Gets the session's events. Set it before bytes are received.
  weak var delegate: (any HTTP2SessionDelegate)?
  private let fieldBytes: Int
  private let fieldCount: Int
  /// The fields of incomplete field sections, by stream.
  private var received: [Int32: (fields: [HTTP2Field], byteCount: Int)] = [:]
  /// What is wrong with the peer's messages, as clauses, by stream. These streams are about to be reset.
  private var defects: [Int32: String] = [:]
  /// The streams that the peer or this session's owner has reset, and that are not closed yet.
  private var endings: Set<Int32> = []
  /// Why this end has ended the connection with an error, as a clause; nil if it has not.
  private(set) var failure: String?

  /// The maximum number of open requests on a connection.
  nonisolated static let streamLimit = 100
  /// The flow-control windows of a body and of the connection, in bytes.
  private static let streamWindow = 256 << 10
  private static let connectionWindow: Int32 = 4 << 20
  /// ``nextOutput()`` adds no frame once it has this many bytes.
  private static let outputBytes = 12 << 10
  /// The largest field section to send, as nghttp2 counts it: a browser may have many cookies, and a proxy adds fields.
  private static let sentFieldBytes = 1 << 20
  /// What is left of the resets that a client may provoke; nil on the client's side.
  private var allowance: HTTP2ResetAllowance?

  /// Creates the session of a connection.
  ///
  /// - Parameters:
  ///   - role: Which end it is.
  ///   - fieldBytes: The largest field section to accept, in bytes as in RFC 9113, section 10.5.1.
  ///   - fieldCount: The maximum number of fields in it.
  /// - Throws: ``HTTP2NoMemory``.
  init(_ role: Role, fieldBytes: Int, fieldCount: Int) throws(HTTP2NoMemory) {
    self.fieldBytes = fieldBytes
    self.fieldCount = fieldCount
    allowance = role == .server ? HTTP2ResetAllowance(at: .now) : nil
    var callbacks: OpaquePointer?
    var options: OpaquePointer?
    defer {
      nghttp2_session_callbacks_del(callbacks)
      nghttp2_option_del(options)
    }
    guard nghttp2_session_callbacks_new(&callbacks) == 0, nghttp2_option_new(&options) == 0 else {
      throw HTTP2NoMemory()
    }
    nghttp2_option_set_no_auto_window_update(options, 1)
    // nghttp2 ends the connection of a client that itself resets more streams than this (CVE-2023-44487).
    nghttp2_option_set_stream_reset_rate_limit(
      options, UInt64(HTTP2ResetAllowance.burst), UInt64(HTTP2ResetAllowance.perSecond))
    nghttp2_option_set_max_send_header_block_length(options, Self.sentFieldBytes)
    HTTP2Callbacks.set(callbacks)
    var session: OpaquePointer?
    // The callbacks' argument is `self`, which can be passed only after all properties are set: see below.
    let status =
      role == .server
      ? nghttp2_session_server_new2(&session, callbacks, nil, options)
      : nghttp2_session_client_new2(&session, callbacks, nil, options)
    guard status == 0, let session else { throw HTTP2NoMemory() }
    pointer = session
    nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
    let settings = [
      role == .server
        ? nghttp2_settings_entry(
          settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: UInt32(Self.streamLimit))
        : nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_ENABLE_PUSH.rawValue), value: 0),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_INITIAL_WINDOW_SIZE.rawValue), value: UInt32(Self.streamWindow)),
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_HEADER_LIST_SIZE.rawValue), value: UInt32(clamping: fieldBytes)),
    ]
    nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), settings, settings.count)
    nghttp2_session_set_local_window_size(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), 0, Self.connectionWindow)
  }

  deinit {
    nghttp2_session_del(pointer)
  }

  // MARK: Bytes

  /// Handles bytes from the peer. Returns false if the connection cannot continue; ``nextOutput()`` then returns what
  /// to tell the peer (GOAWAY).
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = nghttp2_session_mem_recv(pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    if count < 0, failure == nil { failure = String(cString: nghttp2_strerror(Int32(clamping: count))) }
    return count == bytes.count
  }

  /// The next bytes for the peer; nil if there are none at the moment. Joins small frames, so that they share a TLS
  /// record.
  func nextOutput() -> [UInt8]? {
    var output: [UInt8] = []
    while output.count < Self.outputBytes {
      var data: UnsafePointer<UInt8>?
      let count = nghttp2_session_mem_send(pointer, &data)
      guard count > 0, let data else { break }
      output += UnsafeBufferPointer(start: data, count: count)
    }
    return output.isEmpty ? nil : output
  }

  /// Whether the session still expects frames from the peer.
  var wantsMore: Bool { nghttp2_session_want_read(pointer) != 0 }

  /// Whether the session expects no more frames and has none to send.
  var isOver: Bool { nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0 }

  // MARK: Streams

  /// Queues the fields of an informational response.
  func inform(_ fields: HTTP2FieldSection, on stream: Int32) {
    _ = fields.withPointers {
      nghttp2_submit_headers(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, $0, $1, nil)
    }
  }

  /// Queues the fields of a response. Its body comes from the delegate. Without a body, the stream ends with the
  /// fields: nghttp2 would not send even an empty body while the peer's window is closed.
  func respond(_ fields: HTTP2FieldSection, hasBody: Bool, on stream: Int32) {
    var source = Self.bodySource
    _ = fields.withPointers { pairs, count in
      hasBody
        ? nghttp2_submit_response(pointer, stream, pairs, count, &source)
        : nghttp2_submit_response(pointer, stream, pairs, count, nil)
    }
  }

  /// Queues the fields of a request. Its body comes from the delegate.
  ///
  /// - Returns: The stream; nil if the connection takes no more requests.
  func request(_ fields: HTTP2FieldSection, hasBody: Bool) -> Int32? {
    var source = Self.bodySource
    let stream = fields.withPointers { pairs, count in
      hasBody
        ? nghttp2_submit_request(pointer, nil, pairs, count, &source, nil)
        : nghttp2_submit_request(pointer, nil, pairs, count, nil, nil)
    }
    return stream > 0 ? stream : nil
  }

  /// Tells the session that the body of a stream has more bytes, or has ended, after ``Body/nothingYet``.
  func resume(_ stream: Int32) {
    nghttp2_session_resume_data(pointer, stream)
  }

  /// Resets a stream.
  func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
    endings.insert(stream)
    submitReset(stream, code)
  }

  /// Resets a stream because of a defect of the peer's message.
  func refuse(_ stream: Int32) {
    submitReset(stream, .protocolError)
  }

  private func submitReset(_ stream: Int32, _ code: HTTP2ErrorCode) {
    nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
  }

  /// Tells the session that the owner has read bytes of a body, so that the peer may send as many more on this stream.
  /// The connection's window is opened again as soon as bytes arrive, so that a slow reader does not block other
  /// streams.
  func consumed(_ count: Int, of stream: Int32) {
    nghttp2_session_consume_stream(pointer, stream, count)
  }

  /// Sends a ping to the peer.
  func ping() {
    nghttp2_submit_ping(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
  }

  /// Tells the peer that the connection takes no further requests (RFC 9113, section 6.8).
  func goAway() {
    nghttp2_submit_goaway(
      pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(pointer),
      NGHTTP2_NO_ERROR.rawValue, nil, 0)
  }

  /// The callback that reads the body of a stream for nghttp2.
  private static var bodySource: nghttp2_data_provider {
    var source = nghttp2_data_provider()
    source.read_callback = { _, stream, buffer, length, flags, _, argument in
      guard let argument, let buffer else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
      let memory = UnsafeMutableRawBufferPointer(start: buffer, count: length)
      return BridgeActor.assumeIsolated((argument, stream, memory, flags)) { argument, stream, memory, flags in
        HTTP2Callbacks.session(argument).read(stream, memory, flags)
      }
    }
    return source
  }

  // MARK: From nghttp2

  private func read(
    _ stream: Int32, _ memory: UnsafeMutableRawBufferPointer, _ flags: UnsafeMutablePointer<UInt32>?
  ) -> Int {
    switch delegate?.nextBytes(of: stream, into: memory) ?? .end(0) {
    case .bytes(let count): return count
    case .nothingYet: return Int(NGHTTP2_ERR_DEFERRED.rawValue)
    case .end(let count):
      flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue
      return count
    case .trailers(let count, let fields):
      flags?.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue | NGHTTP2_DATA_FLAG_NO_END_STREAM.rawValue
      _ = fields.withPointers { nghttp2_submit_trailer(pointer, stream, $0, $1) }
      return count
    }
  }

  /// A field of an incomplete section has arrived. Returns the result of the callback.
  func received(_ field: HTTP2Field, on stream: Int32) -> Int32 {
    var section = received[stream] ?? ([], 0)
    // The size of a field in a list (RFC 9113, section 10.5.1).
    section.byteCount += field.name.count + field.value.count + 32
    guard section.byteCount <= fieldBytes, section.fields.count < fieldCount else {
      return refuse(
        stream, NGHTTP2_ENHANCE_YOUR_CALM,
        "there are more than \(fieldCount) header fields, or they have more than \(fieldBytes) bytes")
    }
    section.fields.append(field)
    received[stream] = section
    return 0
  }

  /// A field has arrived that RFC 9113, section 8.2.1, forbids. Removes white space around its value, as browsers do,
  /// and refuses anything else. Returns the result of the callback.
  func receivedInvalid(_ field: HTTP2Field, on stream: Int32) -> Int32 {
    let value = Array(field.value.trimmingWhitespace)
    if value.count < field.value.count,
      nghttp2_check_header_name(field.name, field.name.count) != 0, nghttp2_check_header_value(value, value.count) != 0
    {
      return received(HTTP2Field(name: field.name, value: value), on: stream)
    }
    return refuse(stream, NGHTTP2_PROTOCOL_ERROR, "a header field has a byte that is not allowed")
  }

  private func refuse(_ stream: Int32, _ code: nghttp2_error_code, _ defect: String) -> Int32 {
    received[stream] = nil
    defects[stream] = defect
    nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
    return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
  }

  /// A field section is complete.
  func receivedFields(on stream: Int32, endsStream: Bool) {
    let section = received.removeValue(forKey: stream)
    delegate?.received(section?.fields ?? [], on: stream, endsStream: endsStream)
  }

  /// The last bytes of a body have arrived.
  func receivedEnd(on stream: Int32) { delegate?.receivedEnd(on: stream) }

  /// A piece of a body has arrived.
  func received(_ bytes: UnsafeRawBufferPointer, on stream: Int32) {
    nghttp2_session_consume_connection(pointer, bytes.count)
    delegate?.received(bytes, on: stream)
  }

  /// The peer has reset a stream. ``closed(_:_:)`` follows.
  func receivedReset(of stream: Int32) {
    // For a stream that is already closed (-1), nghttp2 does not call `closed` again, which would remove the entry.
    if nghttp2_session_get_stream_remote_close(pointer, stream) >= 0 { endings.insert(stream) }
  }

  /// The peer's settings have arrived.
  func receivedSettings() {
    let limit = nghttp2_session_get_remote_settings(pointer, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    delegate?.receivedSettings(streamLimit: Int(limit))
  }

  /// The peer has sent GOAWAY: it takes no further requests.
  func receivedGoAway(_ code: HTTP2ErrorCode) { delegate?.receivedGoAway(code) }

  /// The peer has answered a ping.
  func receivedPong() { delegate?.receivedPong() }

  /// A frame of a stream breaks a rule.
  func receivedInvalidFrame(on stream: Int32, reason: String) {
    if defects[stream] == nil { defects[stream] = reason }
  }

  /// A stream was reset. If neither the peer nor the owner wanted that, the peer broke a rule.
  func sentReset(of stream: Int32) {
    guard !endings.contains(stream), allowance?.take(at: .now) == false else { return }
    allowance = nil
    failure = "ENHANCE_YOUR_CALM, too many requests break a rule"
    nghttp2_session_terminate_session(pointer, NGHTTP2_ENHANCE_YOUR_CALM.rawValue)
  }

  /// nghttp2 has sent GOAWAY. With an error code, the peer broke a rule.
  func sentGoAway(_ code: HTTP2ErrorCode, reason: String) {
    guard code != .noError, failure == nil else { return }
    failure = reason.isEmpty ? "\(code)" : "\(code), \(reason)"
  }

  /// A stream is closed.
  func closed(_ stream: Int32, _ code: HTTP2ErrorCode) {
    received[stream] = nil
    var end = HTTP2StreamEnd(code: code, defect: defects.removeValue(forKey: stream))
    let isWanted = endings.remove(stream) != nil || code == .noError || code == .refusedStream
    // nghttp2 has reset the stream itself, but does not always say why.
    if !isWanted, end.defect == nil { end.defect = "\(code)" }
    delegate?.closed(stream, end)
  }
}
