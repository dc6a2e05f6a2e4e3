/// The state of a request object. It starts once and finishes once.
struct RequestMachine {
  private enum State {
    /// Not started.
    case initial
    /// Started, without an outcome.
    case running
    /// Finished.
    case finished
  }

  private var state = State.initial

  /// Starts the request. Returns false if it was started before.
  mutating func start() -> Bool {
    guard state == .initial else { return false }
    state = .running
    return true
  }

  /// Finishes the request. Returns false unless it is running.
  mutating func finish() -> Bool {
    guard state == .running else { return false }
    state = .finished
    return true
  }
}
