/// The one owner of all bridge state, as the main actor is on iOS.
///
/// Its serial executor is ``BridgeExecutor``: in the server its thread waits in the libwebsockets loop, elsewhere (unit tests, an
/// embedding program that never starts a server) on a plain condition variable.
@globalActor
public actor BridgeActor {
  /// The actor instance behind the attribute.
  public static let shared = BridgeActor()

  private init() {}

  /// The executor that runs every job of the actor, one after another, on one thread.
  public nonisolated var unownedExecutor: UnownedSerialExecutor {
    BridgeExecutor.shared.asUnownedSerialExecutor()
  }

  /// Begins a task of the actor's that stays on its thread wherever it waits: what it waits for costs no change of threads.
  ///
  /// For what happens often. Asynchronous code of no actor that the task calls runs on the thread too, and must not compute for long there.
  /// Callable from any thread.
  @discardableResult
  public static func begin(_ work: @escaping @BridgeActor @Sendable () async -> Void) -> Task<Void, Never> {
    // The task begins outside of the actor, where the executor sees that it is one that prefers this thread.
    Task(executorPreference: BridgeTaskExecutor.shared) { await work() }
  }

  /// Runs `body` with `input` synchronously as code of the actor: what `MainActor.assumeIsolated` is for the main actor.
  ///
  /// For callbacks from C, which arrive on the executor's thread without the compiler knowing it, some with each message: a closure that
  /// captures nothing, since what it works on is handed to it, costs nothing to make. Traps on any other thread.
  @inlinable
  public static func assumeIsolated<Input, Result>(
    _ input: consuming Input,
    _ body: @escaping @BridgeActor (consuming Input) -> Result
  ) -> Result {
    typealias Body = (consuming Input) -> Result
    BridgeExecutor.shared.checkIsolated()
    // Isolation is a matter of type checking only: the closure's representation is the same with and without it. The standard
    // library's own `assumeIsolated` does the same cast.
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
