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

  /// Runs `body` synchronously as code of the actor: what `MainActor.assumeIsolated` is for the main actor.
  ///
  /// For callbacks from C, which arrive on the executor's thread without the compiler knowing it. Traps on any other thread.
  public static func assumeIsolated<Result>(_ body: @BridgeActor () throws -> Result) rethrows -> Result {
    BridgeExecutor.shared.checkIsolated()
    // Isolation is a matter of type checking only: the closure's representation is the same with and without it. The standard
    // library's own `assumeIsolated` does the same cast.
    return try withoutActuallyEscaping(body) { body in
      try unsafeBitCast(body, to: (() throws -> Result).self)()
    }
  }

  /// Runs `body` with `input` synchronously as code of the actor; the form for what happens with each message. A closure that captures
  /// nothing costs nothing to make.
  @inlinable
  public static func assumeIsolated<Input, Result>(
    _ input: consuming Input,
    _ body: @escaping @BridgeActor (consuming Input) -> Result
  ) -> Result {
    typealias Body = (consuming Input) -> Result
    BridgeExecutor.shared.checkIsolated()
    return unsafeBitCast(body, to: Body.self)(input)
  }
}
