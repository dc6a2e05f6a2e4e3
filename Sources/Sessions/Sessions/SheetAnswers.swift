import BridgeCore
import BridgeRuntime

/// Receives the person's answers to sheets from the session's pages.
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
        message: "An answer to a sheet needs id, a text, and approved, true or false.",
        recoverable: false
      )
      responder.respond(status: .error, data: nil, error: error)
      return true
    }
    // If the sheet was answered elsewhere in the meantime, that is not an error of the page.
    let isOpen = sheets?.answer(id, with: approved ? .approve(data["fields"]?.objectValue ?? [:]) : .cancel) ?? false
    responder.respond(status: .success, data: ["answered": .bool(isOpen)], error: nil)
    return true
  }
}
