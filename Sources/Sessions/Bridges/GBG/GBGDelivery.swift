/// How messages to a GBGBridge page reach it: no public text tells the vendor's way, so all of this is ours.
public struct GBGDelivery: Sendable, Hashable {
  /// The path of a function from `window`, such as `GBGBridge.onNativeMessage`. It is looked up anew for each message.
  public var function: String?
  /// The name of a `CustomEvent` that is dispatched on `window`; its `detail` is the message.
  public var event: String?
  /// Whether the message is handed over as JSON text instead of an object.
  public var asText = false
  /// JavaScript that runs in each document before its own scripts: the body of a function whose parameter `footbridge` takes an
  /// `onmessage`. Once that is set, it takes every message, and `function` and `event` are not used.
  public var bootstrapScript: String?

  /// The usual delivery: `GBGBridge.onNativeMessage`, where the page defines it, and the event `gbgbridge:message`.
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
