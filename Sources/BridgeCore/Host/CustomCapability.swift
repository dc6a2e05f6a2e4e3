/// A capability without a typed slot, as registered with ``BridgeHost/registerCustomCapability(_:version:handler:)`` or declared.
struct CustomCapability {
  /// What `capability.query` answers of it; nil leaves it out.
  let info: BridgeCapabilityInfo?
  /// Handles its requests; nil leaves them to be answered by hand.
  let handler: RegisteredHandler?
}
