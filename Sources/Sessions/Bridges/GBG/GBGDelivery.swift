/// How messages reach a GBGBridge page. The vendor's way is not documented, so all of this is ours.
public struct GBGDelivery: Sendable, Hashable {
  /// The path of a function from `window`, such as `GBGBridge.onNativeMessage`. It is looked up for each message.
  public var function: String?
  /// The name of a `CustomEvent` that is dispatched on `window`; its `detail` is the message.
  public var event: String?
  /// Whether the message is passed as JSON text instead of an object.
  public var asText = false
  /// JavaScript that runs in each document before its own scripts: the body of a function with the parameter `footbridge`. If it sets
  /// `footbridge.onmessage`, that gets every message, and `function` and `event` have no effect.
  public var bootstrapScript: String?

  /// The default delivery: `GBGBridge.onNativeMessage` if the page defines it, and the event `gbgbridge:message`.
  public init(
    function: String? = "GBGBridge.onNativeMessage",
    event: String? = "gbgbridge:message",
    asText: Bool = false,
    bootstrapScript: String? = nil
  ) {
    self.function = function
    self.event = event
    self.asText = asText
    self.bootstrapScript = bootstrapScript
  }
}
