import BridgeRuntime

/// Answers `capability.query` of a host's pages with what the host itself knows. What a program says of its capabilities it may look up, which
/// ``CapabilityQueryHandler`` is for: the browser's camera, say, is known only while a message is handled.
@BridgeActor
final class HostCapabilityHandler: AnsweringCapabilityHandler {
  /// Tells of the slots and of what is registered at present.
  nonisolated static let present = HostCapabilityHandler { $0.currentCapabilities }
  /// Tells what was declared, whatever is registered.
  nonisolated static let declared = HostCapabilityHandler {
    $0.capabilities.mapValues(BridgeCapabilityInfo.init(supported:))
  }

  nonisolated let action = "capability.query"

  private let capabilities: @Sendable @BridgeActor (BridgeHost) -> [String: BridgeCapabilityInfo]

  private nonisolated init(
    _ capabilities: @escaping @Sendable @BridgeActor (BridgeHost) -> [String: BridgeCapabilityInfo]
  ) {
    self.capabilities = capabilities
  }

  func answer(to request: BridgeMessage, of host: BridgeHost) -> BridgeAnswer {
    BridgeAnswer(status: .success, text: host.keptCapabilityAnswer(capabilities))
  }
}
