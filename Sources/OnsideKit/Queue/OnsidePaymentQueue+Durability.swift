import BridgeRuntime

extension OnsidePaymentQueue {
  /// Does what an earlier launch still owed its pages: tells of removals, and ends restores.
  func takeOver(_ former: OnsideLaunchState) {
    launch.state.launch.removals = []
    if !former.removals.isEmpty { perform([.removed(former.removals)]) }
    for accountID in former.restores { start(makeRestore(accountID: accountID)) }
  }

  /// Goes back to the launch's state, and stands still.
  func rollBack() {
    for id in machine.rollBack(to: launch.state.transactions) { stop(id) }
    for restore in restores { restore.task?.cancel() }
    restores = []
    for accountID in launch.state.launch.restores { _ = makeRestore(accountID: accountID) }
  }

  /// Goes on after ``rollBack()``.
  func goOn() {
    if transactionObservers.isEmpty { return }
    perform(machine.resume())
    for restore in restores { start(restore) }
  }
}
