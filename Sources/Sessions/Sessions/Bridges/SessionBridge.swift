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

  /// Called with everything that happens to the session.
  func received(_ event: SessionEvent)

  /// Runs code of the embedding program, such as its own handler. If the bridge's contract has static names, it makes this session the current
  /// one for them.
  func runHostCode(_ body: () -> Void)

  /// Whether pages may still correct what would be reported at the end of the test, such as finish a transaction that has just ended.
  var isLintPending: Bool { get }
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
  /// Ignores the event.
  public func received(_ event: SessionEvent) {}
  /// Runs the code.
  public func runHostCode(_ body: () -> Void) { body() }
  /// False.
  public var isLintPending: Bool { false }
}
