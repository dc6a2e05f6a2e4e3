/// What a host answers to a request: a response without what it has from its request.
public struct BridgeAnswer: Sendable {
  /// How it went.
  public let status: BridgeResponseStatus
  /// What went wrong; only with ``BridgeResponseStatus/error``.
  public var error: BridgeErrorPayload? { further?.error }

  /// Data whose JSON text is written already.
  let text: [UInt8]?
  /// Other data, and what went wrong.
  private let further: MessageContent.Further?

  /// Creates an answer.
  public init(status: BridgeResponseStatus, data: [String: JSONValue]? = nil, error: BridgeErrorPayload? = nil) {
    self.status = status
    text = nil
    further =
      data == nil && error == nil
      ? nil : MessageContent.Further(error: error, data: data.map { .members($0) })
  }

  /// Creates an answer whose data is written already: `text` is the JSON text of an object.
  public init(status: BridgeResponseStatus, text: [UInt8]) {
    self.status = status
    self.text = text
    further = nil
  }

  /// The data; nil when there are none.
  var data: PayloadData? { text.map { .text($0) } ?? further?.data }

  /// Whether there are data.
  var hasData: Bool { text != nil || further?.data != nil }

  /// Whether the answer can be written as JSON, which has no infinity and nothing that is not a number.
  var isEncodable: Bool { further?.data?.isEncodable != false }
}
