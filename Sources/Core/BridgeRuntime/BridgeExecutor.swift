import Essentials

import class Foundation.Thread
import Synchronization

/// The serial executor of ``BridgeActor``: a queue of jobs, and one thread that runs them between two turns of a
/// ``BridgeRunLoop``.
///
/// The thread starts with the first job and runs until the process ends.
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
    /// Who waits for the next whole turn.
    var waiters: [CheckedContinuation<Void, Never>] = []
  }

  private let state = Mutex(State())
  /// The executor's thread, as an address; 0 before it runs. Read with each message, hence without a lock.
  private let thread = Atomic<UInt>(0)

  init() {}

  /// Queues a job. Called on another thread, it also wakes the run loop. Called on the executor's thread, the job runs
  /// after the current turn.
  public func enqueue(_ job: consuming ExecutorJob) {
    enqueue(QueuedJob(job: UnownedJob(job), isOutsideOfActor: false))
  }

  /// Queues nonisolated code of a task that prefers ``BridgeTaskExecutor``.
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
      // Only the first job of a batch wakes the thread, which then takes all queued jobs.
      return (false, isOnExecutorThread || state.jobs.count > 1 ? nil : state.runLoop)
    }
    if mustStart {
      let thread = Thread { [self] in run() }
      thread.name = "footbridge.bridge"
      // Handlers and parsers of nested input run here: they get the stack of a main thread, not the 512 kB of a
      // secondary one.
      thread.stackSize = 8 << 20
      thread.start()
    }
    waker?.wake()
  }

  /// Makes the executor's thread wait in `runLoop` from the next turn on, for the rest of the process. May be called
  /// from any thread.
  public func install(_ runLoop: any BridgeRunLoop) {
    let previous = state.withLock { state in
      defer { state.runLoop = runLoop }
      return state.runLoop
    }
    previous.wake()
  }

  /// Traps unless called on the executor's thread.
  public func checkIsolated() {
    precondition(isOnExecutorThread, "Code of BridgeActor ran outside the thread of its executor.")
  }

  /// Whether the calling thread is the one that runs the actor's jobs.
  public var isOnExecutorThread: Bool {
    // Relaxed is enough: only the executor's thread writes its own identifier, and any other value is not equal.
    thread.load(ordering: .relaxed) == Self.callingThread
  }

  /// The calling thread's POSIX identifier.
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
    var rounds = 0
    while true {
      drain(&rounds)
      let runLoop = state.withLock { $0.runLoop }
      runLoop.prepareToWait()
      // Jobs from this thread do not wake it. If one is queued, do not wait.
      if !state.withLock({ $0.jobs.isEmpty }) {
        if rounds < Self.roundsPerTurn { continue }
        runLoop.wake()
      }
      rounds = 0
      let waiters = state.withLock { state in
        defer { state.waiters = [] }
        return state.waiters
      }
      // Then the turn does not wait for an event.
      if !waiters.isEmpty { runLoop.wake() }
      runLoop.turn()
      for waiter in waiters { waiter.resume() }
    }
  }

  /// Suspends until the run loop has had a whole turn: it has read from each socket to which something had come.
  public func turn() async {
    await withCheckedContinuation { continuation in
      let runLoop = state.withLock { state in
        state.waiters.append(continuation)
        return state.runLoop
      }
      runLoop.wake()
    }
  }

  /// The maximum number of rounds of jobs between two turns. Without it, jobs that queue others without an end would
  /// keep the run loop from its sockets and timers.
  static let roundsPerTurn = 256

  private func drain(_ rounds: inout Int) {
    while rounds < Self.roundsPerTurn {
      let batch = state.withLock { state in
        let jobs = state.jobs
        state.jobs = []
        return jobs
      }
      if batch.isEmpty { return }
      rounds += 1
      for queued in batch {
        if queued.isOutsideOfActor {
          // The job may continue as the actor's without being queued again, since it is on the actor's thread.
          queued.job.runSynchronously(isolatedTo: asUnownedSerialExecutor(), taskExecutor: Self.taskExecutor)
        } else {
          queued.job.runSynchronously(on: asUnownedSerialExecutor())
        }
      }
    }
  }
}

/// Runs the nonisolated code of tasks started with ``BridgeActor/begin(_:)``, on the thread of ``BridgeActor``.
///
/// A resumed continuation moves its task to the task's preferred executor first, and then to the actor. Without a
/// preference, the first of these is another thread, and each wait costs two changes of threads.
final class BridgeTaskExecutor: TaskExecutor {
  static let shared = BridgeTaskExecutor()

  private init() {}

  func enqueue(_ job: consuming ExecutorJob) {
    BridgeExecutor.shared.enqueueOutsideOfActor(job)
  }
}
