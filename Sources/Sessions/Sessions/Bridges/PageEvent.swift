public import BridgeCore

/// Something that has happened to a page. Its bridges hear of it: ``PageBridge/received(_:)``.
public enum PageEvent: Sendable {
  /// The page may come back: it belongs to an earlier run of the server, or is in the browser's page cache. Messages to it are queued.
  case expected
  /// The page has opened. Comes before its first message.
  case opened
  /// The page has ended or has not come back. Answers to it are dropped.
  case ended
  /// The page has written a message itself, which is not handled yet. Comes only to a bridge whose pages write their messages. `call` is the
  /// cursor of the message's journal entry, and `repeatsID` says whether another, earlier request of the page has the same correlation id.
  case posted(BridgeMessage, call: Int?, repeatsID: Bool)
  /// The linter's script in the page has observed something. A page can send forged observations.
  case observed(LintObservation)
}
