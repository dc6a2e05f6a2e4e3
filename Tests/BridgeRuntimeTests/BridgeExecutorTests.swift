import Testing

@testable import BridgeRuntime

@Suite struct BridgeExecutorTests {
  /// Another executor than the process's own, whose run loop the server's tests need.
  private let owner = Owner()

  @Test func `an installed run loop is run, and woken by jobs of other threads`() async {
    let runLoop = CountingRunLoop()
    await owner.nothing()
    owner.executor.install(runLoop)
    while runLoop.turns.load(ordering: .relaxed) == 0 { await owner.nothing() }
    let wakes = runLoop.wakes.load(ordering: .relaxed)
    await owner.nothing()
    #expect(runLoop.wakes.load(ordering: .relaxed) > wakes)
  }

  @Test func `a job queued while the run loop prepares to wait runs before the wait`() async {
    let runLoop = BusyRunLoop(owner)
    await owner.nothing()
    owner.executor.install(runLoop)
    while !runLoop.jobRan.load(ordering: .relaxed) { await owner.nothing() }
  }

  @Test func `jobs that always queue another one do not starve the run loop`() async {
    let runLoop = CountingRunLoop()
    await owner.nothing()
    owner.executor.install(runLoop)
    while runLoop.turns.load(ordering: .relaxed) == 0 { await owner.nothing() }
    let turns = runLoop.turns.load(ordering: .relaxed)
    let jobs = await withCheckedContinuation { done in
      Task {
        await owner.queueJobs(atMost: 100_000, until: { runLoop.turns.load(ordering: .relaxed) > turns + 1 }, done)
      }
    }
    #expect(jobs < 100_000)
  }
}
