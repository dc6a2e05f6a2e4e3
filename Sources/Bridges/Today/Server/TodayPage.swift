import BridgeCore
import BridgeRuntime
import Sessions
import Today

/// Passes the messages of one page to the Today host.
@BridgeActor
final class TodayPage: PageBridge {
  private let session: TodaySession
  private let page: any BridgePage
  /// Created with the page's first message. Most pages never send one.
  private var bridge: TodayBridge?

  /// Creates the part of `page`.
  init(_ session: TodaySession, _ page: any BridgePage) {
    self.session = session
    self.page = page
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.hasAction(withPrefix: "today."), request.action == TodayBridge.action else { return false }
    let bridge = bridge ?? session.makeBridge(of: page)
    self.bridge = bridge
    session.lint.look(at: request, of: page.id) {
      bridge.handleImmediately(request: request, responder: responder)
    }
    return true
  }

  func received(_ event: PageEvent) {
    switch event {
    case .observed(let observation): session.lint.observed(observation, of: page)
    case .ended:
      bridge?.detach()
      bridge = nil
    case .expected, .opened, .posted: break
    }
  }
}
