public import BridgeCore
public import BridgeRuntime

/// A bridge's part of one session: what the app on that device keeps for as long as it runs, and joins to each of its pages.
///
///     final class DoorbellSession: SessionBridge {
///       private var count = 0
///       init(_ session: SessionContext) { … }
///       func makePage(_ page: any BridgePage) -> (any PageBridge)? { DoorbellPage(self) }
///     }
@BridgeActor
public protocol SessionBridge: AnyObject {
  /// Which of the bridge's shims the session's pages load; nil, the default, for the usual one.
  var shimVariant: String? { get }

  /// What the control API tells of the session besides what it tells of each; nothing by default.
  var json: [String: JSONValue] { get }

  /// What each sheet of the session is shown with, beside its content, such as its language. Pages hear nothing of it. Nothing by default.
  var sheetSettings: [String: JSONValue] { get }

  /// Makes the bridge's part of a page; nil, the default, for none.
  func makePage(_ page: any BridgePage) -> (any PageBridge)?

  /// The session is launched: all of it is there.
  func launched()

  /// Runs code of the program that embeds the server, such as a handler of its own. A bridge whose contract has static names makes the
  /// session current for them meanwhile.
  func runHostCode(_ body: () -> Void)

  /// A page has said where it is and where it comes from: addresses as they would be in production.
  func pageVisited(url: String, referrer: String)

  /// A page that the server knew before it was restarted has come back.
  func formerPageCameBack()

  /// The bridge's part of the profile, or the platform, has changed from outside.
  func profileChanged(from former: [String: JSONValue])

  /// What has changed in the session could not be kept: it is what it was before.
  func stateWasLost()

  /// A while has passed since changes were lost: the store may be there again.
  func stateMayBeKeptAgain()

  /// The launch ends.
  func end()
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
  public func end() {}
}
