package import BridgeRuntime

/// A declared bridge's part of one session.
@BridgeActor
package final class DeclaredSession: SessionBridge {
  /// What is declared.
  let configuration: DeclaredConfiguration
  /// What the bridge's handler is told; nil when there is none.
  let handler: HandlerMessages?
  private let context: SessionContext
  /// The names of messages of which the log has said that nothing answers them.
  private var unanswered: Set<String> = []

  private static let mostNoted = 100

  /// Creates the bridge's part of a session.
  package init(_ configuration: DeclaredConfiguration, handler: HandlerMessages?, _ context: SessionContext) {
    self.configuration = configuration
    self.handler = handler
    self.context = context
  }

  package func makePage(_ page: any BridgePage) -> (any PageBridge)? { DeclaredPage(self, page) }

  /// What the control API calls the session.
  var id: String { context.session?.id ?? "" }

  /// The session's clock.
  var clock: any BridgeClock { context.clock }

  /// Says in the log what the page's developer should know.
  func log(_ text: String) { context.log("\(configuration.name): \(text)") }

  /// Says once for each name that nothing answers a message.
  func noteUnanswered(_ name: String) {
    guard unanswered.count < Self.mostNoted, unanswered.insert(name).inserted else { return }
    log("Nothing answers the message \(name): its promise stays pending. Declare an answer, or answer it by hand.")
  }
}
