/// A host's answer to a request: status, data and error. The response takes its action and correlation id from the request.
///
/// ```swift
/// let answer = BridgeAnswer(status: .success, data: ["chipRead": true])
/// ```
public struct BridgeAnswer: Sendable {
  /// The status.
  public let status: BridgeResponseStatus
  /// What went wrong; only with ``BridgeResponseStatus/error``.
  public var error: BridgeErrorPayload? { further?.error }

  /// Data that is already JSON text.
  let text: [UInt8]?
  /// Other data, and the error.
  private let further: MessageContent.Further?

  /// Creates an answer.
  public init(status: BridgeResponseStatus, data: [String: JSONValue]? = nil, error: BridgeErrorPayload? = nil) {
    self.status = status
    text = nil
    further =
      data == nil && error == nil
      ? nil : MessageContent.Further(error: error, data: data.map { .members($0) })
  }

  /// Creates an answer whose data is already JSON text. `text` must be one valid JSON object in UTF-8; it is sent unchanged.
  public init(status: BridgeResponseStatus, text: [UInt8]) {
    self.status = status
    self.text = text
    further = nil
  }

  /// The data; nil when there is none.
  var data: PayloadData? { text.map { .text($0) } ?? further?.data }

  /// The members of the data; nil when there is none.
  package var members: [String: JSONValue]? { data?.members }

  /// Whether there is data.
  var hasData: Bool { text != nil || further?.data != nil }

  /// Whether JSON can express the answer: it has no infinity and no NaN.
  var isEncodable: Bool { further?.data?.isEncodable != false }
}
