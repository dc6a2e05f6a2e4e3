public import BridgeCore
public import BridgeRuntime

/// A bridge's part of one session: the state of the app while it runs. It creates a ``PageBridge`` for each page.
///
///     final class DoorbellSession: SessionBridge {
///       private var count = 0
///       init(_ session: SessionContext) { … }
///       func makePage(_ page: any BridgePage) -> (any PageBridge)? { DoorbellPage(self) }
///     }
@BridgeActor
public protocol SessionBridge: AnyObject {
  /// The variant of the bridge's shim that the session's pages load; nil, the default, for the usual one.
  var shimVariant: String? { get }

  /// Further members of the session in the control API; by default none.
  var json: [String: JSONValue] { get }

  /// What sheets are shown with besides their content, such as a language. Pages do not see it. By default nothing.
  var sheetSettings: [String: JSONValue] { get }

  /// Creates the bridge's part of a page; nil, the default, for none.
  func makePage(_ page: any BridgePage) -> (any PageBridge)?

  /// The session is launched. All of its parts exist.
  func launched()

  /// Runs code of the program that embeds the server, such as its own handler. A bridge whose contract has static names makes the session
  /// current for them.
  func runHostCode(_ body: () -> Void)

  /// A page has reported its address and its referrer, as they would be in production.
  func pageVisited(url: String, referrer: String)

  /// A page of an earlier run of the server has come back.
  func formerPageCameBack()

  /// The bridge's part of the profile, or the platform, was changed from outside.
  func profileChanged(from former: [String: JSONValue])

  /// Changes of the session could not be stored. The session is as it was before them.
  func stateWasLost()

  /// Some time has passed since changes were lost. The store may work again.
  func stateMayBeKeptAgain()

  /// The app is about to be ended, and launched again.
  func appWillEnd()

  /// The linter is about to be read for the last time, since a test, the app or the session ends. Reports what only the end shows. This can
  /// happen several times.
  func concludeLint()

  /// Whether pages may still do something about what ``concludeLint()`` would report, such as finish what has just ended.
  var isLintPending: Bool { get }

  /// The session was launched anew, after ``launched()``.
  func restarted(_ kind: SessionRestart)

  /// The session's clock was set, frozen or let go on.
  func clockChanged()

  /// Another device of the same person is about to come: what belongs to the person is shared from now on.
  func shareWorld()

  /// Another server on the same database runs the session from now on. ``end()`` follows.
  func movedElsewhere()

  /// The launch ends.
  func end()

  /// The session is deleted, after ``end()``.
  func deleted()
}

/// Why a session was launched anew.
public enum SessionRestart: Sendable, Hashable {
  /// The app was ended and started again. What is stored has stayed.
  case relaunch
  /// The app was deleted and installed anew.
  case reset
}

extension SessionBridge {
  /// The usual one.
  public var shimVariant: String? { nil }
  /// Nothing.
  public var json: [String: JSONValue] { [:] }
  /// Nothing.
  public var sheetSettings: [String: JSONValue] { [:] }
  /// No part.
  public func makePage(_ page: any BridgePage) -> (any PageBridge)? { nil }
  /// Does nothing.
  public func launched() {}
  /// Runs the code.
  public func runHostCode(_ body: () -> Void) { body() }
  /// Does nothing.
  public func pageVisited(url: String, referrer: String) {}
  /// Does nothing.
  public func formerPageCameBack() {}
  /// Does nothing.
  public func profileChanged(from former: [String: JSONValue]) {}
  /// Does nothing.
  public func stateWasLost() {}
  /// Does nothing.
  public func stateMayBeKeptAgain() {}
  /// Does nothing.
  public func appWillEnd() {}
  /// Does nothing.
  public func concludeLint() {}
  /// They cannot.
  public var isLintPending: Bool { false }
  /// Does nothing.
  public func restarted(_ kind: SessionRestart) {}
  /// Does nothing.
  public func clockChanged() {}
  /// Does nothing.
  public func shareWorld() {}
  /// Does nothing.
  public func movedElsewhere() {}
  /// Does nothing.
  public func end() {}
  /// Does nothing.
  public func deleted() {}
}
