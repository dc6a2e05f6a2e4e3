import BridgeCore
import BridgeRuntime

/// The handler of one function of `window.onside`.
@BridgeActor
final class OnsideHandler: ImmediateBridgeCapabilityHandler {
  nonisolated let action: String
  private let call: OnsideCall
  private let launch: OnsideLaunch
  private let body: (OnsideArguments, OnsideResponder) throws(OnsideArguments.Failure) -> Void

  init(
    _ call: OnsideCall,
    launch: OnsideLaunch,
    body: @escaping (OnsideArguments, OnsideResponder) throws(OnsideArguments.Failure) -> Void
  ) {
    action = call.action
    self.call = call
    self.launch = launch
    self.body = body
  }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) {
    let responder = OnsideResponder(responder)
    if call.delaysItself || launch.state.settings[call].delayMilliseconds == 0 {
      return run(request, responder)
    }
    Task {
      await launch.delay(call)
      run(request, responder)
    }
  }

  private func run(_ request: BridgeMessage, _ responder: OnsideResponder) {
    if let code = launch.takeBridgeError(of: call) {
      return responder.fail(code, message: "\(call.rawValue) was made to fail.")
    }
    do throws(OnsideArguments.Failure) {
      try body(OnsideArguments(request.payload.data ?? [:]), responder)
    } catch {
      responder.fail("bridge.invalidArguments", message: "\(call.rawValue): \(error.message)")
    }
  }
}
