/// The life of a request object: started once, over once.
struct RequestMachine {
  private enum State {
    /// It was not started.
    case initial
    /// It was started and has not answered.
    case running
    /// It has answered.
    case finished
  }

  private var state = State.initial

  /// Starts the request; false when it was started before.
  mutating func start() -> Bool {
    guard state == .initial else { return false }
    state = .running
    return true
  }

  /// Ends the request; false unless it is running.
  mutating func finish() -> Bool {
    guard state == .running else { return false }
    state = .finished
    return true
  }
}
