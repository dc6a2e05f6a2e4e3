import BridgeCore

/// Which call of a page's a message belongs to, and whose its action is.
struct PageCall {
  let id: CallID
  let owner: FootbridgeAction.Owner

  init(_ message: BridgeMessage) {
    id = CallID(message)
    owner = FootbridgeAction.owner(of: message)
  }
}
