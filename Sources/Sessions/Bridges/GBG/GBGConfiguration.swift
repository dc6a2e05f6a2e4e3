public import BridgeCore

/// The configuration of GBGBridge: what the host of a page says and does on the channel `gbgBridge`.
public struct GBGConfiguration: Sendable {
  /// Whether pages have the channel, and hosts the two capture slots.
  public var isEnabled = true
  /// The host app's version in the answer to `capability.query`; nil for Footbridge's version.
  public var hostVersion: String?
  /// Custom capabilities, canned answers, and requests that wait for an answer from a test.
  public var declarations = GBGDeclarations()
  /// The results of captures if nobody takes a photo (`--present auto`). By default the built-in samples.
  public var standIns: [CaptureKind: CaptureResult] = [:]
  /// How messages reach the page.
  public var delivery = GBGDelivery()

  /// The default configuration: both slots, and nothing else.
  public init() {}
}
