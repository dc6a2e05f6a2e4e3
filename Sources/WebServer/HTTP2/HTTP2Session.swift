import BridgeRuntime
import CNghttp2
import HTTP1
import HTTPTypes

/// One end of an HTTP/2 connection, without a socket (RFC 9113): nghttp2 reads and writes the frames.
///
/// nghttp2 refuses malformed messages, more than the announced streams, and floods of resets, settings, pings and continuations.
@BridgeActor
final class HTTP2Session {
  /// Which end it is.
  enum Role {
    case server, client
  }

  /// The next part of an outgoing body.
  enum Body {
    /// This many bytes; more follow.
    case bytes(Int)
    /// Nothing at the moment (``HTTP2Session/resume(_:)``).
    case nothingYet
    /// This many bytes, and then the end.
    case end(Int)
    /// This many bytes, and then these trailers.
    case trailers(Int, HTTP2FieldSection)
  }

  // Never changed, and freed only when no other reference exists.
  private nonisolated(unsafe) let pointer: OpaquePointer
  private weak var delegate: (any HTTP2SessionDelegate)?
  private let fieldBytes: Int
  private let fieldCount: Int
  /// The fields that are being received, by stream.
  private var received: [Int32: (fields: [HTTP2Field], byteCount: Int)] = [:]
  /// The defects of messages, by stream, for streams that are about to be reset.
  private var defects: [Int32: String] = [:]
  /// The streams that the peer or this end's owner has reset, and that are not closed yet.
  private var endings: Set<Int32> = []
  /// Why this end has ended the connection; nil if it has not. As a clause.
  private(set) var failure: String?

  /// How many requests may be open on a connection.
  nonisolated static let streamLimit = 100
  /// The flow-control window of a body, in bytes.
  private static let streamWindow = 256 << 10
  private static let connectionWindow: Int32 = 4 << 20
  /// At this size, no further frame is added to an output.
  private static let outputBytes = 12 << 10
  /// The largest head to send, as nghttp2 counts: that of a browser with many cookies, and the fields that a proxy adds.
  private static let sentFieldBytes = 1 << 20
  /// The most streams that a client may reset at once, and then in each second.
  private static let resetBurst: UInt64 = 200
  private static let resetsPerSecond: UInt64 = 33

  /// Creates the session of a connection. A section of fields may have `fieldBytes` bytes and `fieldCount` fields.
  init(_ role: Role, delegate: any HTTP2SessionDelegate, fieldBytes: Int, fieldCount: Int) {
    self.delegate = delegate
    self.fieldBytes = fieldBytes
    self.fieldCount = fieldCount
    var callbacks: OpaquePointer?
    var options: OpaquePointer?
    nghttp2_session_callbacks_new(&callbacks)
    nghttp2_option_new(&options)
    defer {
      nghttp2_session_callbacks_del(callbacks)
      nghttp2_option_del(options)
    }
    nghttp2_option_set_no_auto_window_update(options, 1)
    nghttp2_option_set_stream_reset_rate_limit(options, Self.resetBurst, Self.resetsPerSecond)
    nghttp2_option_set_max_send_header_block_length(options, Self.sentFieldBytes)
    HTTP2Callbacks.set(callbacks)
    var session: OpaquePointer?
    // The pointer is the only argument that callbacks have. It is set below, when the session exists.
    let status =
      role == .server
      ? nghttp2_session_server_new2(&session, callbacks, nil, options)
      : nghttp2_session_client_new2(&session, callbacks, nil, options)
    guard status == 0, let session else { preconditionFailure("nghttp2 has no memory for a session") }
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

  /// Takes bytes from the peer. Returns false when the connection cannot continue; ``nextOutput()`` then returns the message for the peer.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = nghttp2_session_mem_recv(pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    if count < 0, failure == nil { failure = String(cString: nghttp2_strerror(Int32(clamping: count))) }
    return count == bytes.count
  }

  /// The next bytes for the peer, of as many frames as a record of TLS holds; nil if there are none at the moment.
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

  /// Whether the peer may still send frames.
  var wantsMore: Bool { nghttp2_session_want_read(pointer) != 0 }

  /// Whether both ends have sent their last frame.
  var isOver: Bool { nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0 }

  // MARK: Streams

  /// Sends the fields of an informational response.
  func inform(_ fields: HTTP2FieldSection, on stream: Int32) {
    _ = fields.withPointers {
      nghttp2_submit_headers(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, $0, $1, nil)
    }
  }

  /// Sends the fields of a response. Its body comes from the delegate.
  func respond(_ fields: HTTP2FieldSection, on stream: Int32) {
    var source = Self.bodySource
    _ = fields.withPointers { nghttp2_submit_response(pointer, stream, $0, $1, &source) }
  }

  /// Sends the fields of a request. Its body comes from the delegate.
  ///
  /// - Returns: The stream; nil when the connection takes no more requests.
  func request(_ fields: HTTP2FieldSection, hasBody: Bool) -> Int32? {
    var source = Self.bodySource
    let stream = fields.withPointers { pairs, count in
      hasBody
        ? nghttp2_submit_request(pointer, nil, pairs, count, &source, nil)
        : nghttp2_submit_request(pointer, nil, pairs, count, nil, nil)
    }
    return stream > 0 ? stream : nil
  }

  /// The body of a stream has bytes again, or its end.
  func resume(_ stream: Int32) {
    nghttp2_session_resume_data(pointer, stream)
  }

  /// Resets a stream.
  func reset(_ stream: Int32, _ code: HTTP2ErrorCode) {
    endings.insert(stream)
    nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
  }

  /// Tells the session that bytes of a body have been read, so that the peer may send as many more. The connection's own window is not affected.
  func consumed(_ count: Int, of stream: Int32) {
    nghttp2_session_consume_stream(pointer, stream, count)
  }

  /// Sends a ping to the peer.
  func ping() {
    nghttp2_submit_ping(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nil)
  }

  /// Tells the peer that the connection takes no further requests.
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

  /// A field of a section that is not complete. Returns what the callback returns.
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

  /// A field that RFC 9113, section 8.2.1, forbids. White space around its value does no harm, and browsers accept it.
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

  /// A section of fields is complete.
  func receivedFields(on stream: Int32, endsStream: Bool) {
    let section = received.removeValue(forKey: stream)
    delegate?.received(section?.fields ?? [], on: stream, endsStream: endsStream)
  }

  /// The last bytes of a body have been received.
  func receivedEnd(on stream: Int32) { delegate?.receivedEnd(on: stream) }

  /// A piece of a body.
  func received(_ bytes: UnsafeRawBufferPointer, on stream: Int32) {
    nghttp2_session_consume_connection(pointer, bytes.count)
    delegate?.received(bytes, on: stream)
  }

  /// The peer has reset a stream; the call of ``closed(_:_:)`` follows.
  func receivedReset(of stream: Int32) {
    // One that is already closed is not closed again.
    if nghttp2_session_get_stream_remote_close(pointer, stream) >= 0 { endings.insert(stream) }
  }

  /// The peer's settings have arrived.
  func receivedSettings() {
    let limit = nghttp2_session_get_remote_settings(pointer, NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS)
    delegate?.receivedSettings(streamLimit: Int(limit))
  }

  /// The peer takes no further requests.
  func receivedGoAway(_ code: HTTP2ErrorCode) { delegate?.receivedGoAway(code) }

  /// The peer has answered a ping.
  func receivedPong() { delegate?.receivedPong() }

  /// A frame of a stream breaks a rule.
  func receivedInvalidFrame(on stream: Int32, reason: String) {
    if defects[stream] == nil { defects[stream] = reason }
  }

  /// This end has ended the connection.
  func sentGoAway(_ code: HTTP2ErrorCode, reason: String) {
    guard code != .noError, failure == nil else { return }
    failure = reason.isEmpty ? "\(code)" : "\(code), \(reason)"
  }

  /// A stream is closed.
  func closed(_ stream: Int32, _ code: HTTP2ErrorCode) {
    received[stream] = nil
    var end = HTTP2StreamEnd(code: code, defect: defects.removeValue(forKey: stream))
    let isWanted = endings.remove(stream) != nil || code == .noError || code == .refusedStream
    // nghttp2 does not tell of every frame why it has reset the stream.
    if !isWanted, end.defect == nil { end.defect = "\(code)" }
    delegate?.closed(stream, end)
  }
}
