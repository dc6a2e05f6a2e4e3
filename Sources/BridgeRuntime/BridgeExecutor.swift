import Foundation
import Synchronization

/// The serial executor of ``BridgeActor``: a queue of jobs and one thread that runs them between two turns of a ``BridgeRunLoop``.
///
/// The thread is made when the first job arrives and lives as long as the process.
public final class BridgeExecutor: SerialExecutor {
  /// The executor of ``BridgeActor``.
  public static let shared = BridgeExecutor()

  private struct QueuedJob {
    let job: UnownedJob
    /// Whether the job came through ``BridgeTaskExecutor``.
    let isOutsideOfActor: Bool
  }

  private struct State {
    var jobs: [QueuedJob] = []
    var started = false
    var runLoop: any BridgeRunLoop = ConditionRunLoop()
  }

  private let state = Mutex(State())
  /// The executor's thread, as an address; 0 before it runs. Asked for with each message, so that it has no lock.
  private let thread = Atomic<UInt>(0)

  init() {}

  /// Queues a job. From another thread it also wakes the run loop; on the executor's own thread the job runs after the current turn.
  public func enqueue(_ job: consuming ExecutorJob) {
    enqueue(QueuedJob(job: UnownedJob(job), isOutsideOfActor: false))
  }

  /// Queues a job of a task that prefers ``BridgeTaskExecutor``, of code that is no actor's.
  func enqueueOutsideOfActor(_ job: consuming ExecutorJob) {
    enqueue(QueuedJob(job: UnownedJob(job), isOutsideOfActor: true))
  }

  private func enqueue(_ job: QueuedJob) {
    let (mustStart, waker) = state.withLock { state -> (Bool, (any BridgeRunLoop)?) in
      state.jobs.append(job)
      if !state.started {
        state.started = true
        return (true, nil)
      }
      // Only the first job of a batch has to wake the thread: it takes all that are there when it comes round.
      return (false, isOnExecutorThread || state.jobs.count > 1 ? nil : state.runLoop)
    }
    if mustStart {
      let thread = Thread { [self] in run() }
      thread.name = "footbridge.bridge"
      // Contract handlers and parsers of nested input run here: the room of a main thread, not the 512 kB of a secondary one.
      thread.stackSize = 8 << 20
      thread.start()
    }
    waker?.wake()
  }

  /// Puts `runLoop` into the slot, for good: from the next turn on the executor's thread waits in it. Callable from any thread.
  public func install(_ runLoop: any BridgeRunLoop) {
    let previous = state.withLock { state in
      defer { state.runLoop = runLoop }
      return state.runLoop
    }
    previous.wake()
  }

  /// Traps unless called on the executor's thread.
  public func checkIsolated() {
    precondition(isOnExecutorThread, "Code of BridgeActor ran on another thread than that of its executor.")
  }

  /// Whether the calling thread is the one that runs the actor's jobs.
  public var isOnExecutorThread: Bool {
    // Only this thread itself ever writes what it compares equal to.
    thread.load(ordering: .relaxed) == Self.callingThread
  }

  /// The calling thread, as POSIX names it.
  private static var callingThread: UInt {
    #if canImport(Darwin)
      UInt(bitPattern: pthread_self())
    #else
      pthread_self()
    #endif
  }

  private static let taskExecutor = BridgeTaskExecutor.shared.asUnownedTaskExecutor()

  private func run() {
    thread.store(Self.callingThread, ordering: .relaxed)
    while true {
      drain()
      let runLoop = state.withLock { $0.runLoop }
      runLoop.prepareToWait()
      // Jobs of this thread wake nobody: waiting with one in the queue would leave it there.
      if state.withLock({ $0.jobs.isEmpty }) { runLoop.turn() }
    }
  }

  private func drain() {
    while true {
      let batch = state.withLock { state in
        let jobs = state.jobs
        state.jobs = []
        return jobs
      }
      if batch.isEmpty { return }
      for queued in batch {
        if queued.isOutsideOfActor {
          // It may go on as the actor's without being queued again: it is on the actor's thread.
          queued.job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: Self.taskExecutor)
        } else {
          queued.job.runSynchronously(on: asUnownedSerialExecutor())
        }
      }
    }
  }
}
