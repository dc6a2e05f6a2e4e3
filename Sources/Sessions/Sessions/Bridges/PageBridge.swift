public import BridgeCore
public import BridgeRuntime
public import Essentials

/// A bridge's part of one page. It handles the page's messages. The server calls it when the page opens and when it ends.
///
///     final class DoorbellPage: PageBridge {
///       func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
///         guard request.action == "doorbell.message" else { return false }
///         responder.respond(status: .success, data: ["value": "ding"], error: nil)
///         return true
///       }
///     }
@BridgeActor
public protocol PageBridge: BridgeHandlerFamily {
  /// Called for a page that may come back: one of an earlier run of the server, or one in the browser's page cache. Messages to it are queued.
  func expect(_ page: any BridgePage)

  /// Called when the page opens, before its first message.
  func open(_ page: any BridgePage)

  /// Called when the page has ended or has not come back. Answers to it are dropped.
  func close(_ page: any BridgePage)

  /// Called with a message that the page has written itself, before it is handled. Called only for a bridge whose pages write their messages.
  ///
  /// - Parameters:
  ///   - message: The message.
  ///   - call: The cursor of its journal entry.
  ///   - repeatsID: Whether another, earlier request of the page has the same correlation id.
  func posted(_ message: BridgeMessage, call: Int?, repeatsID: Bool)

  /// Called with an observation of the linter's script in the page. A page can send forged ones.
  func observed(_ observation: LintObservation)
}

extension PageBridge {
  /// Does nothing.
  public func expect(_ page: any BridgePage) {}
  /// Does nothing.
  public func open(_ page: any BridgePage) {}
  /// Does nothing.
  public func close(_ page: any BridgePage) {}
  /// Does nothing.
  public func posted(_ message: BridgeMessage, call: Int?, repeatsID: Bool) {}
  /// Does nothing.
  public func observed(_ observation: LintObservation) {}
}

/// A page as bridges see it: one document in one tab, in place of a `WKWebView`.
@BridgeActor
public protocol BridgePage: AnyObject {
  /// The page's name in the control API and the journal, such as `page-1`.
  nonisolated var id: String { get }
  /// Routes the page's messages.
  nonisolated var host: BridgeHost { get }
  /// The document's URL in production, as the server served it; nil if the server has not served it.
  var siteURL: URL? { get }
  /// The reason why the page does not count as a main frame; nil for a main frame. Do not trust messages of other documents.
  var reasonAgainstMainFrame: String? { get }
  /// The result of the browser's search for a camera; nil if it has reported none.
  var camera: CameraDetector.Result? { get set }
}
