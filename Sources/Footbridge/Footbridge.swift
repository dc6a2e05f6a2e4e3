// What programs that embed the server name of sessions is part of its interface.
@_exported public import Sessions

/// The program itself.
public enum Footbridge {
  /// The version of Footbridge.
  public static let version = "0.1.0"
}
