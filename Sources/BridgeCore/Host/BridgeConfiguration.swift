/// The version and the capabilities that a host declares (GBGBridge reference, "BridgeConfiguration").
public struct BridgeConfiguration: Sendable {
  /// The host app's version, such as `1.0.0`.
  public let hostVersion: String
  /// What the host can do, by capability id.
  public let capabilities: [String: BridgeCapabilityInfo]
  /// JavaScript to run at document start instead of the default script, or nil.
  public let bootstrapScript: String?

  /// Creates a configuration.
  public init(hostVersion: String, capabilities: [String: BridgeCapabilityInfo], bootstrapScript: String? = nil) {
    self.hostVersion = hostVersion
    self.capabilities = capabilities
    self.bootstrapScript = bootstrapScript
  }
}
