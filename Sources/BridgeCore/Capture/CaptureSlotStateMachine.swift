import BridgeRuntime

/// The states of a capture slot: at most one request in flight, and a result that a view hands to the handler that waits for it.
///
/// The result may come before the handler waits (the view was quicker) or after. Of several the first counts, unless the handler has taken
/// it and waits again, for another try. Results for nobody are dropped.
struct CaptureSlotStateMachine {
  private enum State {
    /// No request is in flight, and nobody waits.
    case idle
    /// No request is in flight. Someone waits all the same: a handler that was registered beside the slot.
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

  /// What to do with a request.
  enum BeginAction: Equatable {
    /// Run the handler for the capture of this number.
    case start(Int)
    /// Reject the request: another one is in flight.
    case rejectBusy
  }

  /// What to do with a handler that wants the result.
  enum AwaitAction: Equatable {
    /// Keep it until a result comes.
    case suspend
    /// The result is there.
    case resume(CaptureResult)
    /// Its capture has ended: nothing will come.
    case end
  }

  /// What to do with a result.
  enum CompleteAction {
    /// Hand it to those who wait.
    case resume
    /// It is kept, or for nobody.
    case none
  }

  /// What to do with what a handler has returned.
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

  /// Whether requests of an action, given in UTF-8, are those of a slot. Lengths are compared first, which differ for most actions.
  static func have(_ action: UnsafeBufferPointer<UInt8>) -> Bool {
    switch action.count {
    case documentAction.utf8.count: action.elementsEqual(documentAction.utf8)
    case selfieAction.utf8.count: action.elementsEqual(selfieAction.utf8)
    default: false
    }
  }
}
