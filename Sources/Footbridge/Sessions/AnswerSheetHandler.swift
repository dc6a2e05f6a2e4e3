import BridgeCore
import BridgeRuntime

/// Takes the person's answer to a sheet from the page.
@BridgeActor
final class AnswerSheetHandler: ImmediateBridgeCapabilityHandler {
  nonisolated let action = FootbridgeAction.answerSheet
  private weak var sheets: SessionSheets?

  init(_ sheets: SessionSheets) {
    self.sheets = sheets
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    let data = request.payload.data ?? [:]
    guard let id = data["id"]?.stringValue, let approved = data["approved"]?.boolValue else {
      return responder.respond(
        status: .error,
        data: nil,
        error: BridgeErrorPayload(
          code: "bridge.invalidArguments",
          message: "An answer to a sheet needs its id and whether it was approved.",
          recoverable: false
        )
      )
    }
    // A sheet that was answered elsewhere in the meantime is gone: that is no error of the page's.
    let isOpen = sheets?.answer(id, with: approved ? .approve(data["fields"]?.objectValue ?? [:]) : .cancel) ?? false
    responder.respond(status: .success, data: ["answered": .bool(isOpen)], error: nil)
  }
}
