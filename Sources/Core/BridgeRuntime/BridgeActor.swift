/// The global actor that owns all bridge state, as the main actor does on iOS.
///
/// All its jobs run on one thread, that of ``BridgeExecutor``. In a server this thread waits in the libwebsockets loop.
/// In a process without a server, such as a unit test, it waits on a semaphore.
///
/// ```swift
/// @BridgeActor
/// func messageCount(of host: BridgeHost) -> Int { host.receivedMessages.count }
///
/// let count = await messageCount(of: host)
/// ```
@globalActor
public actor BridgeActor {
  /// The actor instance behind the attribute.
  public static let shared = BridgeActor()

  private init() {}

  /// The executor that runs every job of the actor, one after another, on one thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    BridgeExecutor.shared.asUnownedSerialExecutor()
  }

  /// Starts a task that stays on the actor's thread, so that an `await` in it costs no change of threads.
  ///
  /// Use it for frequent work. Nonisolated asynchronous functions that the task calls run on this thread too; they must
  /// not compute for long. May be called from any thread.
  ///
  /// - Parameter work: The body of the task.
  /// - Returns: The task.
  @discardableResult
  public static func begin(_ work: @escaping @BridgeActor @Sendable () async -> Void) -> Task<Void, Never> {
    // The task starts outside the actor. Only then does the executor see its preference for this thread.
    Task(executorPreference: BridgeTaskExecutor.shared) { await work() }
  }

  /// Runs `body` synchronously as code of the actor, like `MainActor.assumeIsolated`.
  ///
  /// For callbacks from C, which arrive on the executor's thread without the compiler's knowledge. Some come with each
  /// message, so `input` is passed as an argument: a closure without captures needs no allocation.
  ///
  /// Traps on any other thread.
  ///
  /// - Parameters:
  ///   - input: The value that `body` works on.
  ///   - body: The code to run.
  /// - Returns: What `body` returns.
  @inlinable
  public static func assumeIsolated<Input, Result>(
    _ input: consuming Input,
    _ body: @escaping @BridgeActor (consuming Input) -> Result
  ) -> Result {
    typealias Body = (consuming Input) -> Result
    BridgeExecutor.shared.checkIsolated()
    // Isolation exists only in the type checker; the closure's representation does not change. The standard library's
    // `assumeIsolated` casts in the same way.
    return unsafeBitCast(body, to: Body.self)(input)
  }

  /// Runs `operation` synchronously as code of the actor. The same as `MainActor.assumeIsolated`, for host code. Traps on any other thread.
  public static func assumeIsolated<Result: Sendable>(_ operation: @BridgeActor () throws -> Result) rethrows -> Result
  {
    typealias Operation = () throws -> Result
    BridgeExecutor.shared.checkIsolated()
    return try withoutActuallyEscaping(operation) { operation in
      // The same cast as above.
      try unsafeBitCast(operation, to: Operation.self)()
    }
  }

  /// Runs `body` as code of the actor. The same as `MainActor.run`, for host code.
  public static func run<Result: Sendable>(
    resultType: Result.Type = Result.self,
    body: @BridgeActor @Sendable () throws -> Result
  ) async rethrows -> Result {
    try await body()
  }
}
