import BridgeRuntime

/// Answers `capability.query` of a host's pages with what the host itself knows. What a program says of its capabilities it may look up, which
/// ``CapabilityQueryHandler`` is for: the browser's camera, say, is known only while a message is handled.
@BridgeActor
final class HostCapabilityHandler: AnsweringCapabilityHandler {
  nonisolated let action = "capability.query"

  private let text: @Sendable @BridgeActor () -> [UInt8]

  /// Creates a handler over the text of the answer's data; called on each query.
  nonisolated init(text: @escaping @Sendable @BridgeActor () -> [UInt8]) {
    self.text = text
  }

  func answer(to request: BridgeMessage) -> BridgeAnswer {
    BridgeAnswer(status: .success, text: text())
  }
}
