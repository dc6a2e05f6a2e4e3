public import BridgeCore
public import BridgeRuntime

/// A bridge's part of one page. It handles the page's messages, and is told when the page opens and ends.
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
  /// A page of an earlier run of the server may come back. Messages to it are queued.
  func expect(_ page: any BridgePage)

  /// The page opens, before its first message.
  func open(_ page: any BridgePage)

  /// The page has ended or does not come back. Answers to it are dropped.
  func close(_ page: any BridgePage)
}

extension PageBridge {
  /// Does nothing.
  public func expect(_ page: any BridgePage) {}
  /// Does nothing.
  public func open(_ page: any BridgePage) {}
  /// Does nothing.
  public func close(_ page: any BridgePage) {}
}
