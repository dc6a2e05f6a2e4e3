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
  /// Called with everything that happens to the page.
  func received(_ event: PageEvent)
}

extension PageBridge {
  /// Ignores the event.
  public func received(_ event: PageEvent) {}
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

extension BridgePage {
  /// Shows a sentence in the page's console.
  package func tellDeveloper(_ text: String) {
    host.send(event: FootbridgeAction.error, data: ["message": .string(text)])
  }
}
