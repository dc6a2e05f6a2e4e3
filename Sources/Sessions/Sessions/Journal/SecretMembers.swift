import Delivery

/// Knows which members of messages are secret.
protocol SecretMembers: AnyObject, Sendable {
  /// The names of members that the journal removes from an owner's messages.
  func secretMembers(of owner: ActionOwner) -> Set<String>

  /// The names of members that end like those of secrets, but are not secret.
  var publicMembers: Set<String> { get }
}
