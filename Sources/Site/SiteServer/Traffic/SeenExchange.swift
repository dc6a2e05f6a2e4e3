import BridgeRuntime
import Essentials
import HTTP1
import HTTPTypes

/// A request and its response, as the access log and the HAR file describe them.
struct SeenExchange: Sendable {
  /// A body, or its beginning.
  struct Body: Sendable {
    /// The beginning of the body.
    var bytes: [UInt8] = []
    /// The size of the whole body.
    var byteCount = 0

    /// Whether all of the body is kept.
    var isWhole: Bool { bytes.count == byteCount }

    /// Counts a piece, and keeps it if the body stays within `limit` bytes.
    mutating func add(_ piece: [UInt8], limit: Int) {
      let wasWhole = isWhole
      byteCount += piece.count
      if wasWhole, byteCount <= limit { bytes += piece } else { bytes = [] }
    }
  }

  /// The request.
  var head: RequestHead
  /// The scheme, host and port of the site; nil if the request names none.
  var origin: String?
  /// The version of HTTP, such as `HTTP/1.1`.
  var protocolName: String
  /// The client's IP address; nil if it is not known.
  var peerAddress: String?
  /// Whether the browser used this server as its proxy, and so knows the site by its own origin.
  var isForwarded: Bool
  /// The time of the request.
  let start: BridgeInstant
  /// The milliseconds until the response began, and until everything was over.
  var waitTime = 0.0
  var duration = 0.0
  /// The body of the request, as far as it was read.
  var requestBody = Body()
  /// The status of the response; nil if there was none.
  var status: HTTPResponse.Status?
  /// The fields of the response.
  var fields: HTTPFields = [:]
  /// The body of the response.
  var responseBody = Body()
  /// Whether the response was sent whole.
  var isComplete = false

  /// The address that the browser has asked for.
  var address: String {
    if case .absolute = head.target { return head.target.rawValue }
    return (origin ?? "") + head.target.rawValue
  }
}
