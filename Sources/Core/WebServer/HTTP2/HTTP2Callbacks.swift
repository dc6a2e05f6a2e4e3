import BridgeRuntime
import CNghttp2
import HTTPTypes

/// The callbacks of nghttp2. Each one calls a method of its session.
enum HTTP2Callbacks {
  /// The session that nghttp2 passes to each callback as its last argument.
  static func session(_ argument: UnsafeMutableRawPointer) -> HTTP2Session {
    Unmanaged<HTTP2Session>.fromOpaque(argument).takeUnretainedValue()
  }

  /// Sets all callbacks.
  static func set(_ callbacks: OpaquePointer?) {
    setFields(callbacks)
    setFrames(callbacks)
    setStreams(callbacks)
  }

  private static let failure = NGHTTP2_ERR_CALLBACK_FAILURE.rawValue

  private static func setFields(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_header_callback(callbacks) {
      _, frame, name, nameCount, value, valueCount, _, argument in
      guard let argument, let stream = frame?.pointee.hd.stream_id else { return HTTP2Callbacks.failure }
      let field = HTTP2Field(
        name: Array(UnsafeBufferPointer(start: name, count: nameCount)),
        value: Array(UnsafeBufferPointer(start: value, count: valueCount)))
      return BridgeActor.assumeIsolated((argument, stream, field)) { argument, stream, field in
        HTTP2Callbacks.session(argument).received(field, on: stream)
      }
    }
    nghttp2_session_callbacks_set_on_invalid_header_callback(callbacks) {
      _, frame, name, nameCount, value, valueCount, _, argument in
      guard let argument, let stream = frame?.pointee.hd.stream_id else { return HTTP2Callbacks.failure }
      let field = HTTP2Field(
        name: Array(UnsafeBufferPointer(start: name, count: nameCount)),
        value: Array(UnsafeBufferPointer(start: value, count: valueCount)))
      return BridgeActor.assumeIsolated((argument, stream, field)) { argument, stream, field in
        HTTP2Callbacks.session(argument).receivedInvalid(field, on: stream)
      }
    }
  }

  private static func setFrames(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks) { _, frame, argument in
      guard let argument, let frame else { return HTTP2Callbacks.failure }
      let header = frame.pointee.hd
      let code = header.type == NGHTTP2_GOAWAY.rawValue ? frame.pointee.goaway.error_code : 0
      BridgeActor.assumeIsolated((argument, header, code)) { argument, header, code in
        HTTP2Callbacks.received(header, code, in: HTTP2Callbacks.session(argument))
      }
      return 0
    }
    nghttp2_session_callbacks_set_on_invalid_frame_recv_callback(callbacks) { _, frame, status, argument in
      guard let argument, let stream = frame?.pointee.hd.stream_id else { return HTTP2Callbacks.failure }
      let reason = String(cString: nghttp2_strerror(status))
      BridgeActor.assumeIsolated((argument, stream, reason)) { argument, stream, reason in
        HTTP2Callbacks.session(argument).receivedInvalidFrame(on: stream, reason: reason)
      }
      return 0
    }
    nghttp2_session_callbacks_set_on_frame_send_callback(callbacks) { _, frame, argument in
      guard let argument, let frame else { return HTTP2Callbacks.failure }
      if frame.pointee.hd.type == NGHTTP2_RST_STREAM.rawValue {
        BridgeActor.assumeIsolated((argument, frame.pointee.hd.stream_id)) { argument, stream in
          HTTP2Callbacks.session(argument).sentReset(of: stream)
        }
      }
      guard frame.pointee.hd.type == NGHTTP2_GOAWAY.rawValue else { return 0 }
      let goAway = frame.pointee.goaway
      let reason = String(
        decoding: UnsafeBufferPointer(start: goAway.opaque_data, count: goAway.opaque_data_len), as: UTF8.self)
      BridgeActor.assumeIsolated((argument, goAway.error_code, reason)) { argument, code, reason in
        HTTP2Callbacks.session(argument).sentGoAway(HTTP2ErrorCode(rawValue: code), reason: reason)
      }
      return 0
    }
  }

  @BridgeActor
  private static func received(_ header: nghttp2_frame_hd, _ code: UInt32, in session: HTTP2Session) {
    let endsStream = header.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0
    let isAnswer = header.flags & UInt8(NGHTTP2_FLAG_ACK.rawValue) != 0
    switch UInt32(header.type) {
    case NGHTTP2_HEADERS.rawValue: session.receivedFields(on: header.stream_id, endsStream: endsStream)
    case NGHTTP2_DATA.rawValue where endsStream: session.receivedEnd(on: header.stream_id)
    case NGHTTP2_RST_STREAM.rawValue: session.receivedReset(of: header.stream_id)
    case NGHTTP2_SETTINGS.rawValue where !isAnswer: session.receivedSettings()
    case NGHTTP2_PING.rawValue where isAnswer: session.receivedPong()
    case NGHTTP2_GOAWAY.rawValue: session.receivedGoAway(HTTP2ErrorCode(rawValue: code))
    default: break
    }
  }

  private static func setStreams(_ callbacks: OpaquePointer?) {
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks) { _, _, stream, data, count, argument in
      guard let argument else { return HTTP2Callbacks.failure }
      let bytes = UnsafeRawBufferPointer(start: data, count: count)
      BridgeActor.assumeIsolated((argument, stream, bytes)) { argument, stream, bytes in
        HTTP2Callbacks.session(argument).received(bytes, on: stream)
      }
      return 0
    }
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks) { _, stream, code, argument in
      guard let argument else { return HTTP2Callbacks.failure }
      BridgeActor.assumeIsolated((argument, stream, code)) { argument, stream, code in
        HTTP2Callbacks.session(argument).closed(stream, HTTP2ErrorCode(rawValue: code))
      }
      return 0
    }
  }
}
