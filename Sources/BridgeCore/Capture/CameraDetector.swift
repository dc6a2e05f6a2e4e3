/// Tells whether there is a camera and whether it may be used (GBGBridge reference, "CameraDetector").
///
/// The original asks AVFoundation. Here whoever runs the host's code binds ``camera``: it is that of the browser, and only the page can tell
/// of it. Unbound, there is no camera, as on a simulator.
public struct CameraDetector {
  /// What was found out about the camera.
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

  /// What ``check()`` finds in the current task and in tasks that it starts; ours.
  ///
  /// A task's own value, and no global one, because each page has its own browser and so its own camera. It is no closure: Swift 6.3
  /// compiles task-local closures, with optimisation, to code that crashes.
  @TaskLocal public static var camera = Result(hardwareAvailable: false, permissionState: .notDetermined)

  /// Looks for a camera and for the permission to use it.
  public static func check() -> CameraDetector.Result { camera }
}
