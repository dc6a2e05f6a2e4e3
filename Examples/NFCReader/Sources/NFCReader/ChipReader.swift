import BridgeCore
import BridgeRuntime

/// What the app does for the pages of its web view: `nfc.read` reads the chip of a passport.
///
/// On iOS the same code stands in the app that owns the `BridgeHost`, and the chip is a real one.
enum ChipReader {
  /// Registers the capability with the host of a page.
  @BridgeActor
  static func register(on host: BridgeHost) {
    host.registerCustomCapability("nfc.read", version: "1.0") { request, responder in
      guard let documentNumber = request.payload.data?["documentNumber"] else {
        let error = BridgeErrorPayload(
          code: "INVALID_REQUEST", message: "nfc.read needs the documentNumber.", recoverable: false)
        return responder.respond(status: .error, data: nil, error: error)
      }
      responder.respond(
        status: .success, data: ["chipRead": .bool(true), "documentNumber": documentNumber], error: nil)
    }
  }
}
