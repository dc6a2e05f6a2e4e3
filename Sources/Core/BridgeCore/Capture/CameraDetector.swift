/// Checks whether there is a camera and whether it may be used (GBGBridge reference, "CameraDetector").
///
/// ```swift
/// host.documentCapture.permissionState = CameraDetector.check().permissionState
/// ```
///
/// The original asks AVFoundation. Here, while the server runs host code, it binds ``camera`` to what the page reports about the browser's
/// camera. Otherwise there is no camera, as on a simulator.
public struct CameraDetector {
  /// The result of a check.
  public struct Result: Sendable, Hashable {
    /// Whether there is a camera.
    public let hardwareAvailable: Bool
    /// Whether it may be used.
    public let permissionState: PermissionState

    /// Creates a result.
    public init(hardwareAvailable: Bool, permissionState: PermissionState) {
      self.hardwareAvailable = hardwareAvailable
      self.permissionState = permissionState
    }
  }

  /// The camera that ``check()`` finds in the current task and in tasks that it starts. Not in the reference.
  ///
  /// It is task-local, since each page has a browser of its own, with a camera of its own. It is a value and not a closure, because Swift 6.3
  /// compiles task-local closures, with optimisation, to code that crashes.
  @TaskLocal public static var camera = Result(hardwareAvailable: false, permissionState: .notDetermined)

  /// Looks for a camera and for the permission to use it.
  public static func check() -> CameraDetector.Result { camera }
}

/// Whether the person lets the host use something, such as the camera (GBGBridge reference, "PermissionState").
public enum PermissionState: String, Codable, Sendable, CaseIterable {
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
