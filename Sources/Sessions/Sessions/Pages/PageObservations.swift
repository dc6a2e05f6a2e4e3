import BridgeCore
import BridgeRuntime

/// Passes the observations of the linter's script to the bridges' parts of the page.
@BridgeActor
final class PageObservations: BridgeHandlerFamily {
  private static let action: StaticString = "footbridge.lint"
  /// The maximum number of observations of a page. Further ones are ignored.
  private static let limit = 200

  private weak var page: Page?
  private var count = 0

  init(_ page: Page) {
    self.page = page
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.hasAction(withPrefix: Self.action) else { return false }
    count += 1
    if count <= Self.limit, let observation = LintObservation(request.payload.data ?? [:]) {
      if let page {
        let finding = PhoneLint.finding(observation, page: page.id) ?? SchemeLint.finding(observation, page: page.id)
        if let finding { page.session.lint.report(finding) }
      }
      for bridge in page?.bridges ?? [] { bridge.received(.observed(observation)) }
    }
    responder.respond(status: .success, data: nil, error: nil)
    return true
  }
}
