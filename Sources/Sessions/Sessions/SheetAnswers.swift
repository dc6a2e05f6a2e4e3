import BridgeCore
import BridgeRuntime

/// Takes the person's answers to sheets from a session's pages.
@BridgeActor
final class SheetAnswers: BridgeHandlerFamily {
  private weak var sheets: SessionSheets?

  init(_ sheets: SessionSheets) {
    self.sheets = sheets
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.hasAction(withPrefix: "footbridge."), request.action == FootbridgeAction.answerSheet else {
      return false
    }
    let data = request.payload.data ?? [:]
    guard let id = data["id"]?.stringValue, let approved = data["approved"]?.boolValue else {
      let error = BridgeErrorPayload(
        code: "bridge.invalidArguments",
        message: "An answer to a sheet needs its id and whether it was approved.",
        recoverable: false
      )
      responder.respond(status: .error, data: nil, error: error)
      return true
    }
    // A sheet that was answered elsewhere in the meantime is gone: that is no error of the page's.
    let isOpen = sheets?.answer(id, with: approved ? .approve(data["fields"]?.objectValue ?? [:]) : .cancel) ?? false
    responder.respond(status: .success, data: ["answered": .bool(isOpen)], error: nil)
    return true
  }
}
