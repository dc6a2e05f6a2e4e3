/// The host that is played: what `window.__todayWebView.platform` and the base field `client_plat` say.
public enum TodayPlatform: String, Sendable, Hashable {
  /// The UIKit host.
  case ios
  /// The AppKit host.
  case macos
}
