/// The platform of the simulated host: what pages are told that they run on, and what their events say.
///
/// Today's contract shows it as `window.__todayWebView.platform`, and sends it as the base field `client_plat` of events.
public enum Platform: String, Sendable, Hashable, Codable, CaseIterable {
  /// An iPhone or iPad: UIKit.
  case ios
  /// A Mac: AppKit.
  case macos
}
