public import BridgeRuntime

/// What a ``WebView`` is made with: the stand-in for `WKWebViewConfiguration`.
@BridgeActor
public final class WebViewConfiguration {
  /// The scripts and the channels of the page.
  public let userContentController: UserContentController

  /// Creates a configuration.
  public init(userContentController: UserContentController = UserContentController()) {
    self.userContentController = userContentController
  }
}
