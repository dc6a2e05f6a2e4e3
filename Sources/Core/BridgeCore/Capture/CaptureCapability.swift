public import BridgeRuntime
public import Observation

/// A capability that captures an image (GBGBridge reference, "CaptureCapability"). Setting its handler declares support.
///
/// The slot routes a request to the handler and encodes the result. It rejects further requests while one is in flight.
///
/// ```swift
/// host.documentCapture.handler = { _ in await host.documentCapture.awaitCompletion() }
/// // in the view:
/// host.documentCapture.complete(.cancelled(reason: "User dismissed"))
/// ```
@BridgeActor
@Observable
public final class CaptureCapability {
  /// The capability's id in the answer to `capability.query`, such as `camera.document`.
  @ObservationIgnored public nonisolated let id: String
  /// The action of the requests that the slot handles, such as `camera.document.capture`.
  @ObservationIgnored public nonisolated let actionId: String
  /// The version in the answer to `capability.query`. Nil stands for `1.0` while the slot is supported.
  public var version: String? {
    didSet { onDeclarationChange?() }
  }
  /// The constraints in the answer to `capability.query`. Not in the reference, whose slots have none.
  package var constraints: [String: JSONValue]? {
    didSet { onDeclarationChange?() }
  }
  /// Handles a request. Setting it declares support; a request in flight keeps the handler that it started with.
  public var handler: (@Sendable (BridgeMessage) async -> CaptureResult)? {
    didSet { onDeclarationChange?() }
  }
  /// Whether the capability may be used at present.
  ///
  /// While it is false, a slot with a handler reports that it is unsupported, and answers requests with the status `unsupported`. The
  /// reference does not define this case.
  public var isEnabled = true {
    didSet { onDeclarationChange?() }
  }
  /// The request in flight. A view shows the camera while there is one.
  public private(set) var activeRequest: BridgeMessage?
  /// Whether the camera may be used. Part of the answer to `capability.query`.
  public var permissionState = PermissionState.notDetermined {
    didSet { onDeclarationChange?() }
  }
  /// Called when a part of the answer to `capability.query` has changed.
  @ObservationIgnored var onDeclarationChange: (@BridgeActor () -> Void)?

  @ObservationIgnored private var machine = CaptureSlotStateMachine()
  @ObservationIgnored private var task: Task<Void, Never>?
  @ObservationIgnored private var waiters: [Int: CheckedContinuation<CaptureResult, Never>] = [:]
  @ObservationIgnored private var lastWaiter = 0

  /// Creates a slot. A ``BridgeHost`` makes its own slots.
  public init(id: String, actionId: String, version: String? = nil) {
    self.id = id
    self.actionId = actionId
    self.version = version
  }

  /// Whether the slot has a handler and is enabled.
  public var isSupported: Bool { handler != nil && isEnabled }

  /// The slot's present state, as `capability.query` answers it: without support there is no version (unless the slot was given one) and
  /// no permission state, as the reference's own example shows.
  public func buildCapabilityInfo() -> BridgeCapabilityInfo {
    BridgeCapabilityInfo(
      supported: isSupported,
      version: version ?? (isSupported ? "1.0" : nil),
      constraints: constraints,
      permissionState: isSupported ? permissionState.rawValue : nil
    )
  }

  /// Waits in a handler for the result of ``complete(_:)``. A result that came before is returned at once.
  ///
  /// - Returns: the result; ``CaptureResult/cancelled(reason:)`` if the page goes or the task is cancelled.
  public func awaitCompletion() async -> CaptureResult {
    let identity = CaptureIdentity.current
    switch machine.await(in: identity?.slot == ObjectIdentifier(self) ? identity?.capture : nil) {
    case .resume(let result): return result
    case .end: return Self.ended
    case .suspend: break
    }
    lastWaiter += 1
    let waiter = lastWaiter
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        waiters[waiter] = continuation
        if Task.isCancelled { cancel(waiter) }
      }
    } onCancel: {
      Task { @BridgeActor in cancel(waiter) }
    }
  }

  /// Gives the waiting handler its result. If no handler waits yet, keeps the result for it. Of several results the first counts, until the
  /// handler waits again. Has no effect without a request in flight, unless someone waits.
  public func complete(_ result: CaptureResult) {
    guard case .resume = machine.complete(result) else { return }
    resumeWaiters(with: result)
  }

  // MARK: For the host

  /// Handles a request that was routed to this slot.
  func handle(_ request: BridgeMessage, responder: any BridgeResponder) {
    guard isEnabled, let handler else {
      return responder.respond(status: .unsupported, data: nil, error: nil)
    }
    switch machine.begin() {
    case .rejectBusy:
      // Code and recoverability are those of the web side's documentation; the text is ours.
      let error = BridgeErrorPayload(code: "BUSY", message: "Another \(id) request is in flight.", recoverable: true)
      responder.respond(status: .error, data: nil, error: error)
    case .start(let capture):
      activeRequest = request
      let identity = CaptureIdentity(slot: ObjectIdentifier(self), capture: capture)
      task = Task {
        let result = await CaptureIdentity.$current.withValue(identity) { await handler(request) }
        finish(capture, with: await CaptureResponse(encoding: result), responder)
      }
    }
  }

  /// Ends the capture, because the page has gone. A waiting handler gets ``CaptureResult/cancelled(reason:)``, and its return value is dropped.
  func end() {
    machine.end()
    activeRequest = nil
    task?.cancel()
    task = nil
    resumeWaiters(with: Self.ended)
  }

  private func finish(_ capture: Int, with response: CaptureResponse, _ responder: any BridgeResponder) {
    guard case .respond = machine.finish(capture) else { return }
    activeRequest = nil
    task = nil
    resumeWaiters(with: Self.ended)
    responder.respond(status: response.status, data: response.data, error: response.error)
  }

  private func cancel(_ waiter: Int) {
    guard let continuation = waiters.removeValue(forKey: waiter) else { return }
    if waiters.isEmpty { machine.stopWaiting() }
    continuation.resume(returning: .cancelled(reason: "The task was cancelled."))
  }

  private func resumeWaiters(with result: CaptureResult) {
    let continuations = waiters.values
    waiters = [:]
    for continuation in continuations { continuation.resume(returning: result) }
  }

  private static let ended = CaptureResult.cancelled(reason: "The capture has ended.")
}

/// The slot and the capture that a task belongs to. Task-local, so that a handler that outlives its page does not take the result of the
/// next capture.
struct CaptureIdentity: Sendable {
  @TaskLocal static var current: CaptureIdentity?

  let slot: ObjectIdentifier
  let capture: Int
}
