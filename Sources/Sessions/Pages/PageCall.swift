import BridgeCore

/// The call that a message belongs to, and the owner of its action.
struct PageCall {
  let id: CallID
  let owner: ActionOwner

  init(_ message: BridgeMessage, _ owners: ActionOwners) {
    id = CallID(message)
    owner = owners.owner(of: message)
  }
}
