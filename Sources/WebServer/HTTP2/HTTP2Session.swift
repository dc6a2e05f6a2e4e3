import BridgeRuntime
import CNghttp2
import HTTPTypes

/// What happens on the streams of a session. Called within ``HTTP2Session/receive(_:)`` and ``HTTP2Session/nextOutput()``.
@BridgeActor
protocol HTTP2SessionDelegate: AnyObject {
  /// The fields of a request, or its trailers, are complete.
  func received(_ fields: [HTTP2Field], on stream: Int32, endsStream: Bool)
  /// A piece of a request's body.
  func received(_ bytes: UnsafeRawBufferPointer, on stream: Int32)
  /// The request is complete.
  func receivedEnd(on stream: Int32)
  /// The stream is closed; `isClean` tells whether both sides have finished it.
  func closed(_ stream: Int32, isClean: Bool)
  /// Takes the next bytes of a response's body, as many as fit.
  func nextBytes(of stream: Int32, into buffer: UnsafeMutableRawBufferPointer) -> HTTP2Session.Body
}

/// A field as HTTP/2 has it, pseudo-header fields included (RFC 9113, section 8.2).
struct HTTP2Field: Hashable, Sendable {
  let name: [UInt8]
  let value: [UInt8]
}

/// The server's end of an HTTP/2 connection, without a socket (RFC 9113): nghttp2 reads and writes the frames.
///
/// nghttp2 refuses malformed messages, more than the announced streams, and floods of resets, settings, pings and continuations.
@BridgeActor
final class HTTP2Session {
  /// What the source of a body has for its stream.
  enum Body {
    /// So many bytes; more follow.
    case bytes(Int)
    /// Nothing at the moment (``HTTP2Session/resume(_:)``).
    case nothingYet
    /// So many bytes, and then the end.
    case end(Int)
    /// So many bytes, and then these trailers.
    case trailers(Int, [HTTP2Field])
  }

  // Never changed. Nobody else has it when it is freed.
  private nonisolated(unsafe) let pointer: OpaquePointer
  private weak var delegate: (any HTTP2SessionDelegate)?
  private let fieldBytes: Int
  private let fieldCount: Int
  /// The fields that are being received, by stream.
  private var received: [Int32: (fields: [HTTP2Field], byteCount: Int)] = [:]

  /// How many requests a client may have open on a connection.
  static let streamLimit = 100
  /// How many bytes of a request's body may be on their way.
  private static let streamWindow = 256 << 10
  private static let connectionWindow: Int32 = 4 << 20
  /// How many streams a client may reset at once, and how many each second after that.
  private static let resetBurst: UInt64 = 200
  private static let resetsPerSecond: UInt64 = 33

  /// Begins the session of a connection. The sections of fields have at most `fieldBytes` bytes and `fieldCount` fields.
  init(delegate: any HTTP2SessionDelegate, fieldBytes: Int, fieldCount: Int) {
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
    Self.set(callbacks)
    var session: OpaquePointer?
    // The pointer is the only argument that callbacks have. It is set below, when the session exists.
    guard nghttp2_session_server_new2(&session, callbacks, nil, options) == 0, let session else {
      preconditionFailure("nghttp2 has no memory for a session")
    }
    pointer = session
    nghttp2_session_set_user_data(session, Unmanaged.passUnretained(self).toOpaque())
    let settings = [
      nghttp2_settings_entry(
        settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: UInt32(Self.streamLimit)),
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

  /// Takes bytes from the client. Returns false when the connection cannot continue; ``nextOutput()`` then has the reason for the client.
  func receive(_ bytes: UnsafeRawBufferPointer) -> Bool {
    let count = nghttp2_session_mem_recv(pointer, bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), bytes.count)
    return count == bytes.count
  }

  /// The next bytes for the client; nil if there are none at the moment.
  func nextOutput() -> [UInt8]? {
    var data: UnsafePointer<UInt8>?
    let count = nghttp2_session_mem_send(pointer, &data)
    guard count > 0, let data else { return nil }
    return Array(UnsafeBufferPointer(start: data, count: count))
  }

  /// Whether both ends have nothing more to say.
  var isOver: Bool { nghttp2_session_want_read(pointer) == 0 && nghttp2_session_want_write(pointer) == 0 }

  // MARK: Streams

  /// Sends the fields of an informational response.
  func inform(_ fields: [HTTP2Field], on stream: Int32) {
    Self.withPointers(to: fields) {
      _ = nghttp2_submit_headers(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, nil, $0, $1, nil)
    }
  }

  /// Sends the fields of a response. Its body comes from the delegate.
  func respond(_ fields: [HTTP2Field], on stream: Int32) {
    var source = nghttp2_data_provider()
    source.read_callback = { _, stream, buffer, length, flags, _, argument in
      guard let argument, let buffer else { return Int(NGHTTP2_ERR_CALLBACK_FAILURE.rawValue) }
      let memory = UnsafeMutableRawBufferPointer(start: buffer, count: length)
      return BridgeActor.assumeIsolated((argument, stream, memory, flags)) { argument, stream, memory, flags in
        HTTP2Session.of(argument).read(stream, memory, flags)
      }
    }
    Self.withPointers(to: fields) { _ = nghttp2_submit_response(pointer, stream, $0, $1, &source) }
  }

  /// The body of a stream has bytes again, or its end.
  func resume(_ stream: Int32) {
    nghttp2_session_resume_data(pointer, stream)
  }

  /// Resets a stream.
  func reset(_ stream: Int32, _ code: nghttp2_error_code) {
    nghttp2_submit_rst_stream(pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), stream, code.rawValue)
  }

  /// So many bytes of a request's body have been read; the client may send as many more. The connection has room for other streams anyway.
  func consumed(_ count: Int, of stream: Int32) {
    nghttp2_session_consume_stream(pointer, stream, count)
  }

  /// Tells the client that the connection takes no further requests.
  func goAway() {
    nghttp2_submit_goaway(
      pointer, UInt8(NGHTTP2_FLAG_NONE.rawValue), nghttp2_session_get_last_proc_stream_id(pointer),
      NGHTTP2_NO_ERROR.rawValue, nil, 0)
  }

  // MARK: From nghttp2

  private static func of(_ argument: UnsafeMutableRawPointer) -> HTTP2Session {
    Unmanaged<HTTP2Session>.fromOpaque(argument).takeUnretainedValue()
  }

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
      Self.withPointers(to: fields) { _ = nghttp2_submit_trailer(pointer, stream, $0, $1) }
      return count
    }
  }

  private func receive(_ field: HTTP2Field, on stream: Int32) -> Int32 {
    var section = received[stream] ?? ([], 0)
    // The size of a field in a list (RFC 9113, section 10.5.1).
    section.byteCount += field.name.count + field.value.count + 32
    guard section.byteCount <= fieldBytes, section.fields.count < fieldCount else {
      received[stream] = nil
      reset(stream, NGHTTP2_ENHANCE_YOUR_CALM)
      return NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue
    }
    section.fields.append(field)
    received[stream] = section
    return 0
  }

  private func receive(_ type: UInt8, on stream: Int32, endsStream: Bool) {
    if type == NGHTTP2_HEADERS.rawValue, let section = received.removeValue(forKey: stream) {
      delegate?.received(section.fields, on: stream, endsStream: endsStream)
    } else if type == NGHTTP2_DATA.rawValue, endsStream {
      delegate?.receivedEnd(on: stream)
    }
  }

  private func receive(_ bytes: UnsafeRawBufferPointer, on stream: Int32) {
    nghttp2_session_consume_connection(pointer, bytes.count)
    delegate?.received(bytes, on: stream)
  }

  private func closed(_ stream: Int32, _ code: UInt32) {
    received[stream] = nil
    delegate?.closed(stream, isClean: code == NGHTTP2_NO_ERROR.rawValue)
  }

  private static func set(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameCount, value, valueCount, _, argument in
      guard let argument, let stream = frame?.pointee.hd.stream_id else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
      let field = HTTP2Field(
        name: Array(UnsafeBufferPointer(start: name, count: nameCount)),
        value: Array(UnsafeBufferPointer(start: value, count: valueCount)))
      return BridgeActor.assumeIsolated((argument, stream, field)) { argument, stream, field in
        HTTP2Session.of(argument).receive(field, on: stream)
      }
    }
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, argument in
      guard let argument, let header = frame?.pointee.hd else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
      BridgeActor.assumeIsolated((argument, header)) { argument, header in
        HTTP2Session.of(argument).receive(
          header.type, on: header.stream_id, endsStream: header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0)
      }
      return 0
    }
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, data, count, argument in
      guard let argument else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
      let bytes = UnsafeRawBufferPointer(start: data, count: count)
      BridgeActor.assumeIsolated((argument, stream, bytes)) { argument, stream, bytes in
        HTTP2Session.of(argument).receive(bytes, on: stream)
      }
      return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, argument in
      guard let argument else { return NGHTTP2_ERR_CALLBACK_FAILURE.rawValue }
      BridgeActor.assumeIsolated((argument, stream, code)) { argument, stream, code in
        HTTP2Session.of(argument).closed(stream, code)
      }
      return 0
    }
  }

  /// Calls `body` with the fields as nghttp2 takes them. It copies them.
  private static func withPointers(to fields: [HTTP2Field], _ body: (UnsafePointer<nghttp2_nv>?, Int) -> Void) {
    var bytes = fields.flatMap { $0.name + $0.value }
    bytes.withUnsafeMutableBufferPointer { bytes in
      var start = bytes.baseAddress
      var pairs: [nghttp2_nv] = []
      for field in fields {
        var pair = nghttp2_nv()
        pair.name = start
        pair.namelen = field.name.count
        start = start.map { $0 + field.name.count }
        pair.value = start
        pair.valuelen = field.value.count
        start = start.map { $0 + field.value.count }
        pairs.append(pair)
      }
      body(pairs, pairs.count)
    }
  }
}
