import BridgeRuntime

/// Lets tests wait for a condition: whoever changes something says so, and conditions are looked at again.
@BridgeActor
final class Changes {
  private var waiting: [CheckedContinuation<Void, Never>] = []

  func note() {
    let continuations = waiting
    waiting = []
    for continuation in continuations { continuation.resume() }
  }

  func until(_ condition: () -> Bool) async {
    while !condition() {
      await withCheckedContinuation { waiting.append($0) }
    }
  }
}
