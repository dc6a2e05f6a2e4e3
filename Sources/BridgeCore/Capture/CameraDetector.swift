/// Tells whether there is a camera and whether it may be used (GBGBridge reference, "CameraDetector").
///
/// The original asks AVFoundation. Here whoever runs the host's code binds ``probe``: the camera is that of the browser, and only the page
/// can tell of it. Without a probe there is no camera, as on a simulator.
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

  /// What ``check()`` asks in the current task and in tasks that it starts; ours. Called on whatever thread asks.
  ///
  /// A task's own value, and no global one, because each page has its own browser and so its own camera.
  @TaskLocal public static var probe: @Sendable () -> Result = {
    Result(hardwareAvailable: false, permissionState: .notDetermined)
  }

  /// Looks for a camera and for the permission to use it.
  public static func check() -> CameraDetector.Result { probe() }
}
