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

  /// Settings with which sheets are shown, such as a language. Page code does not see them. By default none.
  var sheetSettings: [String: JSONValue] { get }

  /// Creates the bridge's part of a page; nil, the default, for none.
  func makePage(_ page: any BridgePage) -> (any PageBridge)?

  /// Called when the session is launched and all its parts exist.
  func launched()

  /// Runs code of the embedding program, such as its own handler. If the bridge's contract has static names, it makes this session the current
  /// one for them.
  func runHostCode(_ body: () -> Void)

  /// Called when a page has reported its address and its referrer, as they would be in production.
  func pageVisited(url: String, referrer: String)

  /// Called when a page of an earlier run of the server has come back.
  func formerPageCameBack()

  /// Called when the bridge's part of the profile, or the platform, was changed from outside.
  func profileChanged(from former: [String: JSONValue])

  /// Called when changes could not be stored, and the session was rolled back.
  func stateWasLost()

  /// Called some time after changes were lost. The store may work again.
  func stateMayBeKeptAgain()

  /// Called before the app is ended and launched again.
  func appWillEnd()

  /// Reports mistakes that are known only at the end of a test, of the app or of the session. Can be called several times.
  func concludeLint()

  /// Whether pages may still correct what ``concludeLint()`` would report, such as finish a transaction that has just ended.
  var isLintPending: Bool { get }

  /// Called after a restart, after ``launched()``.
  func restarted(_ kind: SessionRestart)

  /// Called when the session's clock was set, frozen or continued.
  func clockChanged()

  /// Shares the person's data from now on, since another device of the same person begins.
  func shareWorld()

  /// Called when another server on the same database runs the session from now on. ``end()`` follows.
  func movedElsewhere()

  /// Called when the launch ends.
  func end()

  /// Called when the session is deleted, after ``end()``.
  func deleted()
}

/// The reason for a restart of a session.
public enum SessionRestart: Sendable, Hashable {
  /// The app was ended and started again. The stored state has stayed.
  case relaunch
  /// The app was deleted and installed again.
  case reset
}

extension SessionBridge {
  /// The default variant.
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
  /// False.
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
