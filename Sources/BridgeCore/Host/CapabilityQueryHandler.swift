public import BridgeRuntime

/// Answers `capability.query` with what the host can do (GBGBridge reference, "CapabilityQueryHandler").
@BridgeActor
public final class CapabilityQueryHandler: ImmediateBridgeCapabilityHandler {
  /// `capability.query`.
  public nonisolated let action = "capability.query"

  private let text: @Sendable @BridgeActor () -> [UInt8]

  /// Creates a handler over a map of what is supported; called on each query. A supported capability's version is `1.0`, as it is by
  /// default everywhere in the reference, which does not show this provider's answer.
  public nonisolated convenience init(
    capabilities: @escaping @Sendable @BridgeActor () -> [String: Bool],
    hostVersion: String
  ) {
    self.init(
      richCapabilities: { capabilities().mapValues(BridgeCapabilityInfo.init(supported:)) },
      hostVersion: hostVersion
    )
  }

  /// Creates a handler over full descriptions, permission states included; called on each query.
  public nonisolated convenience init(
    richCapabilities: @escaping @Sendable @BridgeActor () -> [String: BridgeCapabilityInfo],
    hostVersion: String
  ) {
    self.init(text: { Self.answer(richCapabilities(), hostVersion: hostVersion) })
  }

  /// Creates a handler over the text of the answer's data; called on each query.
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
