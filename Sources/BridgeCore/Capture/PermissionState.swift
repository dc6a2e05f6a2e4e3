/// Whether the person lets the host use something, such as the camera (GBGBridge reference, "PermissionState").
public enum PermissionState: String, Codable, Sendable {
  /// It may be used.
  case granted
  /// The person has refused it.
  case denied
  /// The person has not been asked yet.
  case notDetermined
  /// The device's management forbids it.
  case restricted
  /// No permission is needed for this capability.
  case notApplicable
}
