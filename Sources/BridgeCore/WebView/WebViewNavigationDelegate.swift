public import BridgeRuntime
public import Foundation

/// Hears of what a ``WebView`` loads: as much of `WKNavigationDelegate` as a web view has that shows nothing itself.
@BridgeActor
public protocol WebViewNavigationDelegate: AnyObject {
  /// The web view goes to `url`.
  func webView(_ webView: WebView, didStartLoading url: URL)
}

extension WebViewNavigationDelegate {
  /// Does nothing.
  public func webView(_ webView: WebView, didStartLoading url: URL) {}
}
