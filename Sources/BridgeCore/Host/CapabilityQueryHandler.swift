public import BridgeRuntime

/// Answers `capability.query` with what the host can do (GBGBridge reference, "CapabilityQueryHandler").
@BridgeActor
public final class CapabilityQueryHandler: ImmediateBridgeCapabilityHandler {
  /// `capability.query`.
  public nonisolated let action = "capability.query"

  private let entries: @Sendable @BridgeActor () -> [String: JSONValue]
  private let hostVersion: String

  /// Creates a handler over a map of what is supported; called on each query. A supported capability's version is `1.0`, as it is by
  /// default everywhere in the reference, which does not show this provider's answer.
  public nonisolated init(capabilities: @escaping @Sendable @BridgeActor () -> [String: Bool], hostVersion: String) {
    entries = {
      capabilities().mapValues { BridgeCapabilityInfo(supported: $0, version: $0 ? "1.0" : nil).queryEntry }
    }
    self.hostVersion = hostVersion
  }

  /// Creates a handler over full descriptions, permission states included; called on each query.
  public nonisolated init(
    richCapabilities: @escaping @Sendable @BridgeActor () -> [String: BridgeCapabilityInfo],
    hostVersion: String
  ) {
    entries = { richCapabilities().mapValues(\.queryEntry) }
    self.hostVersion = hostVersion
  }

  /// Answers with `environment` (`ios`, as the reference has it), `hostVersion` and `capabilities`.
  public func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    responder.respond(
      status: .success,
      data: ["environment": "ios", "hostVersion": .string(hostVersion), "capabilities": .object(entries())],
      error: nil
    )
  }
}
