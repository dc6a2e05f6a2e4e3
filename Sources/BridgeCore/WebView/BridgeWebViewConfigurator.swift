public import BridgeRuntime

/// Joins a ``WebView`` to a ``BridgeHost`` (GBGBridge reference, "BridgeWebViewConfigurator").
///
/// ```swift
/// let webView = BridgeWebViewConfigurator.makeWebView(host: host)   // keep it: the host holds it weakly
/// ```
@BridgeActor
public struct BridgeWebViewConfigurator {
  /// The channel that pages post to: `window.webkit.messageHandlers.gbgBridge`.
  public nonisolated static let channel = "gbgBridge"

  /// Adds the bootstrap script at document start, opens the channel `gbgBridge` to the host, and attaches the web view, in this order.
  ///
  /// Adds no script if the host's configuration has none. The reference's default script is not published; the shim, which is in every
  /// document, plays its part.
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
    let webView = WebView()
    configure(webView, host: host)
    return webView
  }
}
