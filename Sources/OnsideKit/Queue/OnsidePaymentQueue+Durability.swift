import BridgeRuntime

extension OnsidePaymentQueue {
  /// Completes what an earlier launch owed its pages: notifies them of removals, and finishes restores.
  func takeOver(_ former: OnsideLaunchState) {
    launch.state.launch.removals = []
    if !former.removals.isEmpty { perform([.removed(former.removals)]) }
    for accountID in former.restores { start(makeRestore(accountID: accountID)) }
  }

  /// Restores the launch's state, and pauses.
  func rollBack() {
    for id in machine.rollBack(to: launch.state.transactions) { stop(id) }
    for restore in restores { restore.task?.cancel() }
    restores = []
    for accountID in launch.state.launch.restores { _ = makeRestore(accountID: accountID) }
  }

  /// Resumes after ``rollBack()``.
  func goOn() {
    if transactionObservers.isEmpty { return }
    perform(machine.resume())
    for restore in restores { start(restore) }
  }
}
