import BridgeCore
import BridgeRuntime
import Today

/// Takes the messages of one page to the session's Today host.
@BridgeActor
final class TodayPageHandler: ImmediateBridgeCapabilityHandler {
  nonisolated let action = TodayBridge.action
  private weak var page: Page?
  private let today: SessionToday

  init(_ page: Page, _ today: SessionToday) {
    self.page = page
    self.today = today
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    guard let page else { return }
    today.bridge(of: page).handleImmediately(request: request, responder: responder)
  }
}
