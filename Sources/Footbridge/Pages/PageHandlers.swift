import BridgeCore
import BridgeRuntime
import OnsideKit
import Today

/// Handles what a page asks of its host, besides what programs that embed Footbridge register: one object for all of it, since most pages
/// ask for little.
@BridgeActor
final class PageHandlers: BridgeHandlerFamily {
  private let page: Page
  private let onside: OnsideJS
  private let today: SessionToday
  private let gbg: GBGSession
  private let sheets: SessionSheets

  init(_ page: Page, onside: OnsideJS, today: SessionToday, gbg: GBGSession, sheets: SessionSheets) {
    self.page = page
    self.onside = onside
    self.today = today
    self.gbg = gbg
    self.sheets = sheets
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    if onside.handleImmediately(request: request, responder: responder) { return true }
    guard let handler = handler(of: request.action) else { return false }
    handler.handleImmediately(request: request, responder: responder)
    return true
  }

  private func handler(of action: String) -> (any ImmediateBridgeCapabilityHandler)? {
    switch action {
    case TodayBridge.action: today.bridge(of: page)
    case FootbridgeAction.answerSheet: AnswerSheetHandler(sheets)
    case FootbridgeAction.camera: gbg.isEnabled ? CameraHandler(page, gbg) : nil
    default: nil
    }
  }
}
