/// The version and the capabilities that a host declares (GBGBridge reference, "BridgeConfiguration").
///
/// ```swift
/// let configuration = BridgeConfiguration(
///   hostVersion: "1.0.0", capabilities: ["camera.capture": BridgeCapabilityInfo(supported: true, version: "1.0")])
/// ```
public struct BridgeConfiguration: Sendable {
  /// The host app's version, such as `1.0.0`.
  public let hostVersion: String
  /// What the host can do, by capability id.
  public let capabilities: [String: BridgeCapabilityInfo]
  /// JavaScript to run at document start instead of the default script; nil for the default.
  public let bootstrapScript: String?

  /// Creates a configuration.
  public init(hostVersion: String, capabilities: [String: BridgeCapabilityInfo], bootstrapScript: String? = nil) {
    self.hostVersion = hostVersion
    self.capabilities = capabilities
    self.bootstrapScript = bootstrapScript
  }
}

/// The description of one capability (GBGBridge reference, "BridgeCapabilityInfo").
public struct BridgeCapabilityInfo: Codable, Sendable, Hashable {
  /// Whether the capability is available.
  public let supported: Bool
  /// The version of its implementation.
  public let version: String?
  /// Limits, such as `maxResolution`.
  public let constraints: [String: JSONValue]?
  /// The native permission's state, such as `granted`.
  public let permissionState: String?

  /// Creates the description of a capability.
  public init(
    supported: Bool,
    version: String? = nil,
    constraints: [String: JSONValue]? = nil,
    permissionState: String? = nil
  ) {
    self.supported = supported
    self.version = version
    self.constraints = constraints
    self.permissionState = permissionState
  }

  /// A supported capability with the reference's default version.
  init(supported: Bool) {
    self.init(supported: supported, version: supported ? "1.0" : nil)
  }

  /// The capability's entry in the answer to `capability.query`. Without a version, `version` is `null`, as in the reference's example.
  /// `permissionState` and `constraints` are left out if there are none. The reference does not say whether hosts send constraints; here they
  /// do.
  var queryEntry: JSONValue {
    var entry: [String: JSONValue] = ["supported": .bool(supported), "version": version.map { .string($0) } ?? .null]
    if let permissionState { entry["permissionState"] = .string(permissionState) }
    if let constraints { entry["constraints"] = .object(constraints) }
    return .object(entry)
  }
}

/// The platform of the simulated host, as pages see it and report it in their events.
///
/// Today's contract shows it as `window.__todayWebView.platform`, and sends it as the base field `client_plat` of events.
public enum Platform: String, Sendable, Hashable, Codable, CaseIterable {
  /// An iPhone or iPad: UIKit.
  case ios
  /// A Mac: AppKit.
  case macos
}
