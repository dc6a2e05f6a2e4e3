import BridgeCore
import BridgeRuntime
import Observation
import Synchronization
import Testing

/// What the original publishes is observable here.
@Suite @BridgeActor struct ObservationTests {
  let host = BridgeHost(hostVersion: "1", clock: ManualBridgeClock(), random: BridgeRandom(seed: 1))

  /// Whether `change` tells who has read `property`.
  private func isTold(reading property: () -> Void, after change: () -> Void) -> Bool {
    let told = Told()
    withObservationTracking(property) { told.flag.withLock { $0 = true } }
    change()
    return told.flag.withLock { $0 }
  }

  @Test func `messages, pending requests and errors of a host are observable`() {
    #expect(isTold(reading: { _ = host.receivedMessages }, after: { host.receive(.make(.event)) }))
    #expect(isTold(reading: { _ = host.pendingRequests }, after: { host.receive(.make()) }))
    #expect(isTold(reading: { _ = host.lastError }, after: { host.receive("?".utf8) }))
    #expect(isTold(reading: { _ = host.capabilities }, after: { host.capabilities["a"] = true }))
  }

  @Test func `the state of a slot is observable`() {
    let slot = host.documentCapture
    #expect(isTold(reading: { _ = slot.isSupported }, after: { slot.handler = { _ in .cancelled(reason: "") } }))
    #expect(isTold(reading: { _ = slot.isSupported }, after: { slot.isEnabled = false }))
    #expect(isTold(reading: { _ = slot.permissionState }, after: { slot.permissionState = .denied }))
    slot.isEnabled = true
    #expect(
      isTold(
        reading: { _ = slot.activeRequest },
        after: { host.receive(.make(action: "camera.document.capture")) }
      )
    )
  }

  @Test func `a message does not notify observers of other properties`() {
    #expect(!isTold(reading: { _ = host.lastError }, after: { host.receive(.make()) }))
  }
}

private final class Told: Sendable {
  let flag = Mutex(false)
}
