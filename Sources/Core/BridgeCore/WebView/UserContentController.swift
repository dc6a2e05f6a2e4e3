public import BridgeRuntime

/// The scripts and the message channels of a page. Stands in for `WKUserContentController`.
@BridgeActor
public final class UserContentController {
  /// The scripts, in the order in which they run.
  public private(set) var userScripts: [UserScript] = []

  private var handlers: [String: any ScriptMessageHandler] = [:]

  /// Creates a controller without scripts and channels.
  public init() {}

  /// Adds a script.
  public func addUserScript(_ script: UserScript) {
    userScripts.append(script)
  }

  /// Opens the channel `window.webkit.messageHandlers.<name>`. Replaces the handler of a channel that is already open; WebKit would raise an
  /// exception.
  public func add(_ handler: any ScriptMessageHandler, name: String) {
    handlers[name] = handler
  }

  /// Closes a channel.
  public func removeScriptMessageHandler(forName name: String) {
    handlers[name] = nil
  }

  /// Passes a message to the handler of a channel, as if the page had called `postMessage(body)` on it.
  ///
  /// - Returns: false if there is no such channel.
  @discardableResult
  public func post(_ body: JSONValue, to name: String) -> Bool {
    guard let handler = handlers[name] else { return false }
    handler.userContentController(self, didReceive: ScriptMessage(name: name, body: body))
    return true
  }
}

/// Receives what a page posts to a channel. Stands in for `WKScriptMessageHandler`.
@BridgeActor
public protocol ScriptMessageHandler: AnyObject {
  /// Called when the page has posted `message`.
  func userContentController(_ userContentController: UserContentController, didReceive message: ScriptMessage)
}

/// A message that a page has posted to a channel. Stands in for `WKScriptMessage`.
public struct ScriptMessage: Sendable {
  /// The body of the message, or the envelope that it was parsed to.
  enum Content {
    /// The value that the page has posted.
    case value(JSONValue)
    /// An envelope that is already parsed.
    case envelope(BridgeMessage)
  }

  /// The channel's name.
  public let name: String
  let content: Content

  /// Creates a message.
  public init(name: String, body: JSONValue) {
    self.name = name
    content = .value(body)
  }

  /// Creates the message that posts an envelope to the channel `gbgBridge`.
  package init(_ envelope: BridgeMessage) {
    name = BridgeWebViewConfigurator.channel
    content = .envelope(envelope)
  }

  /// The value that the page has posted, in WebKit's types: `String`, `Double`, `Bool`, `[String: Any]`, `[Any]` or `NSNull`.
  public var body: Any { value.anyValue }

  /// The same value as JSON. Not in WebKit.
  public var value: JSONValue {
    switch content {
    case .value(let value): return value
    case .envelope(let message):
      var writer = JSONWriter()
      message.write(to: &writer)
      return (try? JSONValue(parsing: writer.bytes)) ?? .null
    }
  }
}

/// A script that runs in every document. Stands in for `WKUserScript`. Footbridge runs only scripts at document start.
public struct UserScript: Sendable, Hashable {
  /// When a script runs.
  public enum InjectionTime: Sendable, Hashable {
    /// Before the document's own scripts.
    case atDocumentStart
    /// After the document has been parsed. Footbridge does not run such scripts.
    case atDocumentEnd
  }

  /// The script's text.
  public let source: String
  /// When it runs.
  public let injectionTime: InjectionTime
  /// Whether it runs in the main frame only.
  public let isForMainFrameOnly: Bool

  /// Creates a script.
  public init(source: String, injectionTime: InjectionTime, forMainFrameOnly: Bool) {
    self.source = source
    self.injectionTime = injectionTime
    isForMainFrameOnly = forMainFrameOnly
  }
}
