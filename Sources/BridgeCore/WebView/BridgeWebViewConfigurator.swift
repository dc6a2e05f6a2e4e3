public import BridgeRuntime

/// Joins a ``WebView`` to a ``BridgeHost`` (GBGBridge reference, "BridgeWebViewConfigurator").
@BridgeActor
public struct BridgeWebViewConfigurator {
  /// The channel that pages post to: `window.webkit.messageHandlers.gbgBridge`.
  public nonisolated static let channel = "gbgBridge"

  /// Puts the bootstrap script at document start, opens the channel `gbgBridge` to the host, and attaches the web view, in this order.
  ///
  /// Without a script in the host's configuration none is put: the default script of the reference is not published, and its part is
  /// played by the shim, which is in every document.
  public static func configure(_ webView: WebView, host: BridgeHost) {
    let controller = webView.configuration.userContentController
    if let source = host.configuration.bootstrapScript {
      controller.addUserScript(UserScript(source: source, injectionTime: .atDocumentStart, forMainFrameOnly: true))
    }
    controller.add(host, name: channel)
    host.attach(webView: webView)
  }

  /// Creates a web view and configures it.
  public static func makeWebView(host: BridgeHost) -> WebView {
    let webView = WebView(configuration: WebViewConfiguration())
    configure(webView, host: host)
    return webView
  }
}
