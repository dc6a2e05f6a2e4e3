import BridgeCore
import BridgeRuntime
import Footbridge

/// A bridge of the app's own: `webkit.messageHandlers.account`, with a state for each session.
///
/// Without Swift, a section of `footbridge.yaml` declares such a bridge. In Swift it is the code that the app has on iOS.
struct AccountBridge: BridgeDefinition {
  let name = "account"

  /// The page's promise resolves with the `value` of the answer.
  var shim: ShimPart { ShimPart(channels: [ShimPart.Channel("account", action: "account.message")]) }

  func start(_ server: ServerContext) -> BridgeSessionMaker { { _ in Account() } }
}

/// Who is signed in, in one session. Its pages share it, as they share the app.
@BridgeActor
final class Account: SessionBridge {
  private(set) var user: String?

  func makePage(_ page: any BridgePage) -> (any PageBridge)? { AccountPage(self) }

  /// Signs a user in.
  func signIn(_ name: String) { user = name }
}

/// The bridge at one page.
final class AccountPage: PageBridge {
  private let account: Account

  init(_ account: Account) { self.account = account }

  func handleImmediately(request: BridgeMessage, responder: any BridgeResponder) -> Bool {
    guard request.action == "account.message" else { return false }
    let message = request.payload.data?["value"]
    switch message?["type"]?.stringValue {
    case "login":
      account.signIn(message?["user"]?.stringValue ?? "nobody")
      responder.respond(status: .success, data: [:], error: nil)
    case "whoami":
      responder.respond(status: .success, data: ["value": account.user.map { .string($0) } ?? .null], error: nil)
    default:
      // The promise rejects with an `Error` of this text.
      let error = BridgeErrorPayload(code: "account.unknown", message: "Unknown message", recoverable: false)
      responder.respond(status: .error, data: nil, error: error)
    }
    return true
  }
}
