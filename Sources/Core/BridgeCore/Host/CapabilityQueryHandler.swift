public import BridgeRuntime

/// Answers `capability.query` with the host's capabilities (GBGBridge reference, "CapabilityQueryHandler").
@BridgeActor
public final class CapabilityQueryHandler: ImmediateBridgeCapabilityHandler {
  /// `capability.query`.
  public nonisolated let action = "capability.query"

  private let text: @Sendable @BridgeActor () -> [UInt8]

  /// Creates a handler with a function that returns whether each capability is supported. It is called on each query. The version in the
  /// answer is `1.0`, the reference's default; the reference does not show the answer of this handler.
  public nonisolated convenience init(
    capabilities: @escaping @Sendable @BridgeActor () -> [String: Bool],
    hostVersion: String
  ) {
    self.init(
      richCapabilities: { capabilities().mapValues(BridgeCapabilityInfo.init(supported:)) },
      hostVersion: hostVersion
    )
  }

  /// Creates a handler with a function that returns the description of each capability, with its permission state. It is called on each query.
  public nonisolated convenience init(
    richCapabilities: @escaping @Sendable @BridgeActor () -> [String: BridgeCapabilityInfo],
    hostVersion: String
  ) {
    self.init(text: { Self.answer(richCapabilities(), hostVersion: hostVersion) })
  }

  /// Creates a handler with a function that returns the JSON text of the answer's data. It is called on each query.
  private nonisolated init(text: @escaping @Sendable @BridgeActor () -> [UInt8]) {
    self.text = text
  }

  /// Answers with `environment` (`ios`, as the reference has it), `hostVersion` and `capabilities`.
  public func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    responder.respond(status: .success, text: text())
  }

  /// The text of an answer's data.
  nonisolated static func answer(_ capabilities: [String: BridgeCapabilityInfo], hostVersion: String) -> [UInt8] {
    var writer = JSONWriter()
    writer.write([
      "environment": "ios", "hostVersion": .string(hostVersion),
      "capabilities": .object(capabilities.mapValues(\.queryEntry)),
    ])
    return writer.bytes
  }
}
