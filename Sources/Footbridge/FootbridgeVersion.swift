/// The version of Footbridge.
enum FootbridgeVersion {
  /// The version of this program, such as `1.2.0`.
  static let current = "0.1.0"
}
