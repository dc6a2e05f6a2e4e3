import BridgeRuntime

/// The state machine of a capture slot: at most one request in flight, and a result that goes from a view to the waiting handler.
///
/// The result may arrive before or after the handler starts to wait. Of several results the first counts, unless the handler has taken
/// it and waits again, for another try. A result is dropped if no request needs it.
struct CaptureSlotStateMachine {
  private enum State {
    /// No request is in flight, and nobody waits.
    case idle
    /// No request is in flight, but someone waits: a handler that was registered outside the slot.
    case awaited
    /// A request is in flight.
    case capturing(Int, Progress)
  }

  private enum Progress {
    /// There is no result, and the handler does not wait for one.
    case started
    /// The result came before the handler waited for it.
    case completedEarly(CaptureResult)
    /// The handler waits.
    case awaited
    /// The handler has its result.
    case completed
  }

  /// The action for a request.
  enum BeginAction: Equatable {
    /// Run the handler for the capture of this number.
    case start(Int)
    /// Reject the request: another one is in flight.
    case rejectBusy
  }

  /// The action for a handler that wants the result.
  enum AwaitAction: Equatable {
    /// Keep it until a result comes.
    case suspend
    /// The result is there.
    case resume(CaptureResult)
    /// Its capture has ended: no result will come.
    case end
  }

  /// The action for a result.
  enum CompleteAction {
    /// Resume the waiting handlers with it.
    case resume
    /// Do nothing: it is stored for later, or dropped.
    case none
  }

  /// The action for the return value of a handler.
  enum FinishAction {
    /// Answer the request with it.
    case respond
    /// Drop it: the capture has ended.
    case drop
  }

  private var state = State.idle
  private var lastCapture = 0

  /// A request arrived.
  mutating func begin() -> BeginAction {
    let progress: Progress
    switch state {
    case .idle: progress = .started
    case .awaited: progress = .awaited
    case .capturing: return .rejectBusy
    }
    lastCapture += 1
    state = .capturing(lastCapture, progress)
    return .start(lastCapture)
  }

  /// Someone wants the result: the handler of `capture`, or code that runs in no capture's task.
  mutating func await(in capture: Int?) -> AwaitAction {
    switch state {
    case .idle, .awaited:
      guard capture == nil else { return .end }
      state = .awaited
      return .suspend
    case .capturing(let current, let progress):
      guard capture == nil || capture == current else { return .end }
      if case .completedEarly(let result) = progress {
        state = .capturing(current, .completed)
        return .resume(result)
      }
      state = .capturing(current, .awaited)
      return .suspend
    }
  }

  /// Nobody waits any more: the waiting task was cancelled.
  mutating func stopWaiting() {
    switch state {
    case .awaited: state = .idle
    case .capturing(let current, .awaited): state = .capturing(current, .started)
    case .idle, .capturing: break
    }
  }

  /// A result came.
  mutating func complete(_ result: CaptureResult) -> CompleteAction {
    switch state {
    case .awaited:
      state = .idle
      return .resume
    case .capturing(let current, .awaited):
      state = .capturing(current, .completed)
      return .resume
    case .capturing(let current, .started):
      state = .capturing(current, .completedEarly(result))
      return .none
    case .idle, .capturing(_, .completedEarly), .capturing(_, .completed):
      return .none
    }
  }

  /// The handler of `capture` has returned.
  mutating func finish(_ capture: Int) -> FinishAction {
    guard case .capturing(capture, _) = state else { return .drop }
    state = .idle
    return .respond
  }

  /// The page has gone, and its capture with it.
  mutating func end() {
    state = .idle
  }
}

/// The two capture slots of a host.
@BridgeActor
struct CaptureSlots {
  static let documentAction = "camera.document.capture"
  static let selfieAction = "camera.selfie.capture"

  /// The slot of `camera.document`.
  let document = CaptureCapability(id: "camera.document", actionId: documentAction)
  /// The slot of `camera.selfie`.
  let selfie = CaptureCapability(id: "camera.selfie", actionId: selfieAction)

  /// Returns whether one of the slots handles an action, given in UTF-8. Compares the lengths first, since they differ for most actions.
  static func have(_ action: UnsafeBufferPointer<UInt8>) -> Bool {
    switch action.count {
    case documentAction.utf8.count: action.elementsEqual(documentAction.utf8)
    case selfieAction.utf8.count: action.elementsEqual(selfieAction.utf8)
    default: false
    }
  }
}
