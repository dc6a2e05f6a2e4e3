/// The program itself.
public enum Footbridge {
  /// The version of Footbridge.
  public static let version = "0.1.0"
}
