public import BridgeRuntime

/// The scripts and the message channels of a page: the stand-in for `WKUserContentController`.
@BridgeActor
public final class UserContentController {
  /// The scripts to run, in this order.
  public private(set) var userScripts: [UserScript] = []

  private var handlers: [String: any ScriptMessageHandler] = [:]

  /// Creates a controller without scripts and channels.
  public init() {}

  /// Adds a script.
  public func addUserScript(_ script: UserScript) {
    userScripts.append(script)
  }

  /// Opens the channel `window.webkit.messageHandlers.<name>`. One that is open under this name is taken over, where WebKit would raise an
  /// exception.
  public func add(_ handler: any ScriptMessageHandler, name: String) {
    handlers[name] = handler
  }

  /// Closes a channel.
  public func removeScriptMessageHandler(forName name: String) {
    handlers[name] = nil
  }

  /// The page has called `postMessage(body)` on the channel `name`. Returns false when there is no such channel.
  @discardableResult
  public func post(_ body: JSONValue, to name: String) -> Bool {
    guard let handler = handlers[name] else { return false }
    handler.userContentController(self, didReceive: ScriptMessage(name: name, body: body))
    return true
  }
}
