import BridgeCore

/// Which call of a page's a message belongs to, and whose its action is.
struct PageCall {
  let id: CallID
  let owner: ActionOwner

  init(_ message: BridgeMessage, _ owners: ActionOwners) {
    id = CallID(message)
    owner = owners.owner(of: message)
  }
}
