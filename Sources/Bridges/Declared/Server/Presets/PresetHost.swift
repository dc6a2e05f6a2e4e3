package import BridgeCore
package import BridgeRuntime

/// The native side of a preset in one session: what an SDK's plugin does when a page calls it. It answers what neither a rule nor the file
/// answers, and comes before the handler.
@BridgeActor
package protocol PresetHost: AnyObject {
  /// Answers a message. Returns false if the SDK has no method of this name.
  ///
  /// - Parameter responder: Nil if nobody waits for the answer.
  func handle(
    _ name: String, _ body: JSONValue, from page: DeclaredPage, _ responder: (any BridgeResponder)?
  ) -> Bool

  /// A page has opened.
  func opened(_ page: DeclaredPage)

  /// A page has ended.
  func closed(_ page: DeclaredPage)

  /// The session has ended, or its app is launched again.
  func ended()
}

extension PresetHost {
  /// Does nothing.
  package func opened(_ page: DeclaredPage) {}
}

/// Creates the native side of a preset in a session.
package typealias PresetHostMaker = @Sendable @BridgeActor (DeclaredSession) -> any PresetHost
