public import BridgeCore
public import BridgeRuntime

/// Joins a launch of OnsideKit to one page (bridge reference, "Configure WKWebView").
///
/// Every function of `window.onside` is a request `onside.<function>`. Callbacks are events of the same form.
@BridgeActor
public final class OnsideJS {
  /// How the actions of the functions begin.
  public nonisolated static let prefix: StaticString = "onside."

  let onside: Onside
  private weak var host: BridgeHost?

  /// Creates the joint for one page.
  public init(_ onside: Onside) {
    self.onside = onside
  }

  /// Takes the calls of `window.onside` and starts sending callbacks. The launch's first page sets the payment queue going.
  public func configure(host: BridgeHost) {
    host.register(family: self)
    open(host: host)
  }

  /// Starts sending callbacks to a page whose host has this among its families already.
  package func open(host: BridgeHost) {
    self.host = host
    onside.pages.attach(self, to: onside.defaultPaymentQueue())
  }

  /// Whether this is joined to the page of `host`.
  func isOfPage(of host: BridgeHost) -> Bool { self.host === host }

  /// Whether both are joined to the page of the same host.
  func isSamePage(as other: OnsideJS) -> Bool { other.host.map(isOfPage) ?? false }

  /// Notes callbacks for a page that an earlier launch knew and that may come back: ``configure(host:)`` follows when it does. It sets
  /// nothing going, and is asked nothing.
  public func expect(host: BridgeHost) {
    self.host = host
    onside.pages.expect(self)
  }

  /// The page has gone: it hears nothing more. What it started goes on.
  public func detach() {
    onside.pages.detach(self)
    host = nil
  }

  /// Gives the page of a web view `window.onside`, which works for ``Onside/current``.
  ///
  /// Pages of the server have it already; for their hosts this has no effect. A web view without a host gets one.
  public static func configureOnsideForWebView(_ webView: WebView) {
    let onside = Onside.forEntry("OnsideJS.configureOnsideForWebView(_:)")
    let host = webView.attachedHost ?? webView.makeHost()
    if !onside.pages.isAttached(host) { OnsideJS(onside).configure(host: host) }
  }

  // MARK: Callbacks

  /// Sends a callback whose data is the JSON text of an object.
  func send(_ callback: String, text: [UInt8]) {
    host?.send(event: "onside.\(callback)", text: text)
  }

  func send(_ callback: String, _ data: [String: JSONValue]) {
    host?.send(event: "onside.\(callback)", data: data)
  }

  /// Asks the page a question. A page that goes, fails or answers no boolean counts as one that agrees.
  func ask(_ callback: String, _ data: [String: JSONValue]) async -> Bool {
    guard let answer = await host?.request(action: "onside.\(callback)", data: data) else { return true }
    return answer.payload.data?["result"]?.boolValue ?? true
  }
}
