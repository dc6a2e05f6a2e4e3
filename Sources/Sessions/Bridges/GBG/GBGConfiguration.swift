public import BridgeCore

/// GBGBridge: what the host of a page says and does on the channel `gbgBridge`.
public struct GBGConfiguration: Sendable {
  /// Whether pages have the channel, and hosts the two capture slots.
  public var isEnabled = true
  /// The host app's version, as the answer to `capability.query` tells it; nil for Footbridge's.
  public var hostVersion: String?
  /// Custom capabilities, canned answers, and requests that wait to be answered by hand.
  public var declarations = GBGDeclarations()
  /// What captures give where nobody takes a photo (`--present auto`); the built-in samples unless said otherwise.
  public var standIns: [CaptureKind: CaptureResult] = [:]
  /// How messages reach the page.
  public var delivery = GBGDelivery()

  /// The usual configuration: both slots, and nothing else.
  public init() {}
}
