/// The payload of a ``BridgeMessage`` (GBGBridge reference, "BridgePayload").
public struct BridgePayload: Codable, Sendable {
  /// The action of a payload. For a received payload, each access makes a new string.
  private enum Action {
    case named(String)
    case received(MessageContent)
  }

  /// The status; responses only.
  public let status: BridgeResponseStatus?
  /// What went wrong; only with ``BridgeResponseStatus/error``.
  public let error: BridgeErrorPayload?

  private let storedAction: Action
  let storedData: PayloadData?

  /// The action, such as `capability.query`.
  public var action: String {
    switch storedAction {
    case .named(let name): name
    case .received(let content): content.action
    }
  }

  /// Typed JSON data; nil when there is none. Each access parses the data of a received message again: keep the value if you need it twice.
  public var data: [String: JSONValue]? { storedData?.members }

  /// Creates a payload.
  public init(
    action: String,
    data: [String: JSONValue]?,
    status: BridgeResponseStatus?,
    error: BridgeErrorPayload?
  ) {
    self.init(action: action, storedData: data.map { .members($0) }, status: status, error: error)
  }

  init(action: String, storedData: PayloadData?, status: BridgeResponseStatus?, error: BridgeErrorPayload?) {
    storedAction = .named(action)
    self.storedData = storedData
    self.status = status
    self.error = error
  }

  /// The payload of a message.
  init(_ content: MessageContent) {
    storedAction = .received(content)
    storedData = content.data
    status = content.status
    error = content.error
  }

  /// Whether JSON can express the payload: it has no infinity and no NaN.
  var isEncodable: Bool { storedData?.isEncodable != false }

  private enum CodingKeys: String, CodingKey {
    case action, data, status, error
  }

  /// Decodes a payload with one of Foundation's decoders.
  public init(from decoder: any Decoder) throws {
    let container = try decoder.container(keyedBy: CodingKeys.self)
    self.init(
      action: try container.decode(String.self, forKey: .action),
      data: try container.decodeIfPresent([String: JSONValue].self, forKey: .data),
      status: try container.decodeIfPresent(BridgeResponseStatus.self, forKey: .status),
      error: try container.decodeIfPresent(BridgeErrorPayload.self, forKey: .error)
    )
  }

  /// Encodes the payload with one of Foundation's encoders. Leaves out members that are nil.
  public func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: CodingKeys.self)
    try container.encode(action, forKey: .action)
    try container.encodeIfPresent(data, forKey: .data)
    try container.encodeIfPresent(status, forKey: .status)
    try container.encodeIfPresent(error, forKey: .error)
  }
}

/// The status of a response message (GBGBridge reference, "BridgeResponseStatus").
public enum BridgeResponseStatus: String, Codable, Sendable, CaseIterable {
  /// The operation completed successfully.
  case success
  /// The operation failed; a ``BridgeErrorPayload`` says why.
  case error
  /// The user cancelled the operation.
  case cancelled
  /// The requested capability is not available.
  case unsupported
  /// The request was received; the result will follow.
  case acknowledged
}

/// Structured error information in an error response (GBGBridge reference, "BridgeErrorPayload").
public struct BridgeErrorPayload: Codable, Sendable, Hashable, Error {
  /// A machine-readable code, such as `CAMERA_DENIED`.
  public let code: String
  /// A description for people.
  public let message: String
  /// Whether trying again may succeed.
  public let recoverable: Bool

  /// Creates an error payload.
  public init(code: String, message: String, recoverable: Bool) {
    self.code = code
    self.message = message
    self.recoverable = recoverable
  }
}

/// The `data` of a payload: members, or checked JSON text that is parsed on access.
enum PayloadData: Sendable {
  case members([String: JSONValue])
  /// The text of one valid JSON object.
  case text([UInt8])
  /// The data of a received message.
  case received(MessageContent)

  var members: [String: JSONValue] {
    switch self {
    case .members(let members): members
    // Only text that a scanner has accepted as an object is ever stored, so there is no error to report.
    case .text(let text):
      (try? JSONValue(parsing: text, depthLimit: JSONScanner.messageDepthLimit))?.objectValue ?? [:]
    case .received(let content): content.receivedMembers
    }
  }

  /// Whether JSON can express the data: it has no infinity and no NaN.
  var isEncodable: Bool {
    switch self {
    case .members(let members): members.values.allSatisfy(\.isEncodable)
    case .text, .received: true
    }
  }
}
