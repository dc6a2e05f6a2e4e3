import BridgeCore
import BridgeRuntime
import BridgeServer
import Sessions

/// What a handler learns of the control API: the address of a session there, and a token that is good for this session alone.
@BridgeActor
struct HandlerAccess {
  private weak var server: ServerContext?

  init(_ server: ServerContext) { self.server = server }

  /// The member `control` of a line about a session; nil if the session does not run here, or the server does not listen.
  func members(of session: String) -> JSONValue? {
    guard let server, let address = server.address, let token = server.sessions?.token(ofSession: session) else {
      return nil
    }
    return [
      "url": .string("\(address)\(ControlRoute.base)/sessions/\(session)"), "token": .string(token.reveal()),
    ]
  }
}
