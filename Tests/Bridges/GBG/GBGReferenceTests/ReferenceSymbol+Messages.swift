import GBGBridge

extension ReferenceSymbol {
  static let configuration: [ReferenceSymbol] = [
    ReferenceSymbol("BridgeConfiguration.init(hostVersion:capabilities:bootstrapScript:)") {
      let usual = BridgeConfiguration(hostVersion: "1", capabilities: [:])
      let other = BridgeConfiguration(hostVersion: "1", capabilities: [:], bootstrapScript: "start()")
      return usual.bootstrapScript == nil && other.bootstrapScript == "start()"
    },
    ReferenceSymbol("BridgeConfiguration: Sendable") {
      let value: any Sendable = settings
      return value is BridgeConfiguration
    },
    ReferenceSymbol("BridgeConfiguration.hostVersion") { settings.hostVersion == "1.0.0" },
    ReferenceSymbol("BridgeConfiguration.capabilities") { settings.capabilities["a"]?.supported == true },
    ReferenceSymbol("BridgeConfiguration.bootstrapScript") { settings.bootstrapScript == "start()" },
    ReferenceSymbol("BridgeCapabilityInfo.init(supported:version:constraints:permissionState:)") {
      let info = BridgeCapabilityInfo(supported: false)
      return info.version == nil && info.constraints == nil && info.permissionState == nil
    },
    ReferenceSymbol("BridgeCapabilityInfo: Codable, Sendable") {
      let value: any Codable & Sendable = sampleInfo
      return value is BridgeCapabilityInfo
    },
    ReferenceSymbol("BridgeCapabilityInfo.supported") { sampleInfo.supported },
    ReferenceSymbol("BridgeCapabilityInfo.version") { sampleInfo.version == "2" },
    ReferenceSymbol("BridgeCapabilityInfo.constraints") { sampleInfo.constraints == ["maxResolution": .number(4096)] },
    ReferenceSymbol("BridgeCapabilityInfo.permissionState") { sampleInfo.permissionState == "granted" },
  ]

  static let messages: [ReferenceSymbol] = [
    ReferenceSymbol("BridgeMessage.init(version:correlationId:type:timestamp:payload:)") {
      let text = try JSONEncoder().encode(sampleMessage)
      return try JSONDecoder().decode(BridgeMessage.self, from: text).payload.data == ["a": 1]
    },
    ReferenceSymbol("BridgeMessage: Codable, Identifiable, Sendable") {
      let value: any Codable & Identifiable & Sendable = sampleMessage
      return value is BridgeMessage
    },
    ReferenceSymbol("BridgeMessage.version") { sampleMessage.version == "1.0" },
    ReferenceSymbol("BridgeMessage.correlationId") { sampleMessage.correlationId == "c" },
    ReferenceSymbol("BridgeMessage.type") { sampleMessage.type == .response },
    ReferenceSymbol("BridgeMessage.timestamp") {
      let timestamp: TimeInterval = sampleMessage.timestamp
      return timestamp == 1_760_000_000_000
    },
    ReferenceSymbol("BridgeMessage.payload") { sampleMessage.payload.action == "camera.capture" },
    ReferenceSymbol("BridgeMessage.id") { sampleMessage.id == "c-\(sampleMessage.timestamp)-response" },
    ReferenceSymbol("BridgePayload.init(action:data:status:error:)") {
      let payload = BridgePayload(action: "a", data: nil, status: nil, error: nil)
      return payload.data == nil && payload.status == nil && payload.error == nil
    },
    ReferenceSymbol("BridgePayload: Codable, Sendable") {
      let value: any Codable & Sendable = sampleMessage.payload
      return value is BridgePayload
    },
    ReferenceSymbol("BridgePayload.action") { sampleMessage.payload.action == "camera.capture" },
    ReferenceSymbol("BridgePayload.data") { sampleMessage.payload.data == ["a": 1] },
    ReferenceSymbol("BridgePayload.status") { sampleMessage.payload.status == .error },
    ReferenceSymbol("BridgePayload.error") { sampleMessage.payload.error?.code == "CAMERA_DENIED" },
    ReferenceSymbol("BridgeErrorPayload.init(code:message:recoverable:)") {
      try JSONDecoder().decode(BridgeErrorPayload.self, from: JSONEncoder().encode(sampleError)) == sampleError
    },
    ReferenceSymbol("BridgeErrorPayload: Codable, Sendable") {
      let value: any Codable & Sendable = sampleError
      return value is BridgeErrorPayload
    },
    ReferenceSymbol("BridgeErrorPayload.code") { sampleError.code == "CAMERA_DENIED" },
    ReferenceSymbol("BridgeErrorPayload.message") { sampleError.message == "No camera." },
    ReferenceSymbol("BridgeErrorPayload.recoverable") { sampleError.recoverable },
    ReferenceSymbol("BridgeMessageType: Codable, Sendable") {
      let value: any Codable & Sendable = BridgeMessageType.event
      return value is BridgeMessageType
    },
    ReferenceSymbol("BridgeMessageType.request") { BridgeMessageType.request.rawValue == "request" },
    ReferenceSymbol("BridgeMessageType.response") { BridgeMessageType.response.rawValue == "response" },
    ReferenceSymbol("BridgeMessageType.event") { BridgeMessageType.event.rawValue == "event" },
    ReferenceSymbol("BridgeResponseStatus: Codable, Sendable") {
      let value: any Codable & Sendable = BridgeResponseStatus.error
      return value is BridgeResponseStatus
    },
    ReferenceSymbol("BridgeResponseStatus.success") { BridgeResponseStatus.success.rawValue == "success" },
    ReferenceSymbol("BridgeResponseStatus.error") { BridgeResponseStatus.error.rawValue == "error" },
    ReferenceSymbol("BridgeResponseStatus.cancelled") { BridgeResponseStatus.cancelled.rawValue == "cancelled" },
    ReferenceSymbol("BridgeResponseStatus.unsupported") { BridgeResponseStatus.unsupported.rawValue == "unsupported" },
    ReferenceSymbol("BridgeResponseStatus.acknowledged") {
      BridgeResponseStatus.acknowledged.rawValue == "acknowledged"
    },
    ReferenceSymbol("JSONValue: Codable, Sendable") {
      let value: any Codable & Sendable = JSONValue.null
      return value is JSONValue
    },
    ReferenceSymbol("JSONValue.string") { try reread(.string("hello")) == .string("hello") },
    ReferenceSymbol("JSONValue.number") { try reread(.number(3.14)) == .number(3.14) },
    ReferenceSymbol("JSONValue.bool") { try reread(.bool(true)) == .bool(true) },
    ReferenceSymbol("JSONValue.object") { try reread(.object(["key": .null])) == .object(["key": .null]) },
    ReferenceSymbol("JSONValue.array") { try reread(.array([.number(1)])) == .array([.number(1)]) },
    ReferenceSymbol("JSONValue.null") { try reread(.null) == .null },
    ReferenceSymbol("JSONValue.anyValue") {
      let any: Any = JSONValue.object(["a": .number(1)]).anyValue
      return (any as? [String: Any])?["a"] as? Double == 1
    },
  ]

  private static let settings = BridgeConfiguration(
    hostVersion: "1.0.0",
    capabilities: ["a": BridgeCapabilityInfo(supported: true)],
    bootstrapScript: "start()"
  )

  private static let sampleInfo = BridgeCapabilityInfo(
    supported: true,
    version: "2",
    constraints: ["maxResolution": .number(4096)],
    permissionState: "granted"
  )

  private static let sampleError = BridgeErrorPayload(code: "CAMERA_DENIED", message: "No camera.", recoverable: true)

  private static let sampleMessage = BridgeMessage(
    version: "1.0",
    correlationId: "c",
    type: .response,
    timestamp: 1_760_000_000_000,
    payload: BridgePayload(action: "camera.capture", data: ["a": .number(1)], status: .error, error: sampleError)
  )

  private static func reread(_ value: JSONValue) throws -> JSONValue {
    try JSONDecoder().decode([JSONValue].self, from: JSONEncoder().encode([value])).first ?? .null
  }
}
