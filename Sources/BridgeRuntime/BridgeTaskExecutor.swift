/// Where tasks that were begun with ``BridgeActor/begin(_:)`` run what is no actor's code: on the thread of ``BridgeActor``.
///
/// A continuation that is resumed takes its task to the executor that the task prefers, and only from there to the actor. Without a
/// preference that is another thread, which is woken only to wake this one: two changes of threads for each wait.
final class BridgeTaskExecutor: TaskExecutor {
  static let shared = BridgeTaskExecutor()

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    BridgeExecutor.shared.enqueueOutsideOfActor(job)
  }
}
