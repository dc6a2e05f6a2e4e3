import BridgeRuntime

@testable import Sessions

/// Listens to the ownership of sessions, and passes on what it hears.
@BridgeActor
final class OwnershipListener: OwnershipDelegate {
  var onLeaseBegan: () -> Void = {}
  var onRenewed: () -> Void = {}
  var onLoss: ([String]) -> Void = { _ in }
  private let next: (any OwnershipDelegate)?

  /// Listens to `ownership` as long as the listener exists.
  init(_ ownership: any Ownership) {
    next = ownership.delegate
    ownership.delegate = self
  }

  var usualWorld: String? { next?.usualWorld }
  var neededKeys: Set<String> { next?.neededKeys ?? [] }

  func leaseBegan() {
    next?.leaseBegan()
    onLeaseBegan()
  }

  func leaseRenewed() {
    next?.leaseRenewed()
    onRenewed()
  }

  func ownershipLost(of keys: [String]) {
    next?.ownershipLost(of: keys)
    onLoss(keys)
  }
}
