// The samples of docs/embedding.md, as they stand there: `ManualTests` compares them.

import Footbridge
import GBGBridge
import Logging
import OnsideKit

/// "A server in your program".
func runServer() async throws {
  var options = FootbridgeOptions()
  options.root = "path/to/site"
  options.state = nil  // as --ephemeral
  options.onPage = { host in
    host.registerCustomCapability("nfc.read", version: "1.0") { request, responder in
      responder.respond(status: .success, data: ["chipRead": .bool(true)], error: nil)
    }
  }
  let server = try await FootbridgeServer(options: options, logger: Logger(label: "my-app"))
  print(try await server.start().plain)  // the address; port 8080 unless options.port says otherwise
  try await server.run()  // until its task is cancelled, or server.stop()
}

final class JourneyHost: BridgeHost {
  override func userContentController(_ controller: WKUserContentController, didReceive message: WKScriptMessage) {
    print("posted to \(message.name): \(message.body)")
    super.userContentController(controller, didReceive: message)
  }
}

@MainActor
func makeJourneyHost() -> BridgeHost {
  let host = JourneyHost(hostVersion: "2.0.0")
  host.documentCapture.handler = { _ in
    .document(DocumentCaptureResult(imageData: Data([0xFF]), width: 1, height: 1))
  }
  return host
}

/// "The app's own host".
func useOwnHost(_ options: inout FootbridgeOptions) {
  options.makeHost = { makeJourneyHost() }
}

@MainActor
final class Purchases: OnsidePaymentTransactionObserver {
  func start() {
    Onside.defaultPaymentQueue().add(observer: self)
  }

  func onsidePaymentQueue(_ queue: OnsidePaymentQueue, updatedTransactions: [OnsidePaymentTransaction]) {
    for transaction in updatedTransactions where transaction.transactionState != .purchasing {
      queue.finishTransaction(transaction)
    }
  }

  func restore() {
    Onside.defaultPaymentQueue().restoreCompletedTransactions { result in
      if case .failure(let error) = result { print("not restored: \(error)") }
    }
  }
}

/// "Host code for OnsideKit".
func observePurchases(_ options: inout FootbridgeOptions) {
  options.onLaunch = { _ in
    Purchases().start()
  }
}

/// "Host code for OnsideKit".
@BridgeActor
func nameSession(_ onside: Onside) {
  Onside.current = onside  // for the whole process
  Onside.withCurrent(onside) {  // or for some code, and the tasks that it starts
    Purchases().restore()
  }
}
