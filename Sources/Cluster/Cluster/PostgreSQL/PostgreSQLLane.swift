import BridgeRuntime
import Essentials
import Synchronization

/// A connection to the database with its own thread. It reconnects when the connection is lost.
final class PostgreSQLLane: Sendable {
  private struct State {
    var connection: PostgreSQLConnection?
    var reconnection = Reconnection()
    var isClosed = false
    /// The reason why there is no connection.
    var failure: PostgreSQLError?
  }

  private let address: PostgreSQLAddress
  private let schema: String
  private let timeouts: PostgreSQLConnection.Timeouts
  private let queue: DispatchQueue
  private let state = Mutex(State())
  private let isClosing = Atomic(false)
  private let isEnding = Atomic(false)

  /// Creates a lane. It connects when it is first used.
  ///
  /// - Parameter timeouts: The timeouts of statements.
  init(
    _ address: PostgreSQLAddress, schema: String, label: String, timeouts: PostgreSQLConnection.Timeouts = .long
  ) {
    self.address = address
    self.schema = schema
    self.timeouts = timeouts
    queue = DispatchQueue(label: label)
  }

  /// Runs `body` with a connection, on the lane's thread.
  ///
  /// - Parameter waitsWithoutLimit: Whether to wait for the database without a time limit. Otherwise the limit is ``Reconnection/timeout``.
  func perform<Value: Sendable>(
    waitsWithoutLimit: Bool = false, _ body: @escaping @Sendable (PostgreSQLConnection) throws -> Value
  ) async throws -> Value {
    try await withCheckedThrowingContinuation { continuation in
      queue.async {
        continuation.resume(with: Result { try self.performNow(waitsWithoutLimit: waitsWithoutLimit, body) })
      }
    }
  }

  /// Runs `body` with a connection, on the caller's thread.
  func performNow<Value>(waitsWithoutLimit: Bool = false, _ body: (PostgreSQLConnection) throws -> Value) throws
    -> Value
  {
    try state.withLock { state in
      let connection = try connect(&state, waitsWithoutLimit: waitsWithoutLimit)
      do {
        return try body(connection)
      } catch {
        if (error as? PostgreSQLError)?.isLost == true || connection.checkLoss() {
          state.connection = nil
          state.failure = error as? PostgreSQLError
          state.reconnection.failed(at: MonotonicTime.nanoseconds)
        }
        throw error
      }
    }
  }

  private func connect(_ state: inout State, waitsWithoutLimit: Bool) throws(PostgreSQLError) -> PostgreSQLConnection {
    if let connection = state.connection, !connection.checkLoss() { return connection }
    state.connection = nil
    while !state.isClosed, !isClosing.load(ordering: .relaxed) {
      switch state.reconnection.step(
        at: MonotonicTime.nanoseconds, waitsWithoutLimit: waitsWithoutLimit && !isEnding.load(ordering: .relaxed))
      {
      case .wait(let nanoseconds): usleep(UInt32(min(nanoseconds / 1000 + 1, 100_000)))
      case .giveUp: throw state.failure ?? PostgreSQLError(message: "The connection is lost.", isLost: true)
      case .connect:
        do {
          let connection = try PostgreSQLConnection(address, schema: schema, timeouts: timeouts)
          state.reconnection.succeeded()
          state.connection = connection
          return connection
        } catch {
          state.reconnection.failed(at: MonotonicTime.nanoseconds)
          state.failure = error
        }
      }
    }
    throw PostgreSQLError(message: "The connection is closed.", isLost: true)
  }

  /// From now on, every wait for the database ends after ``Reconnection/timeout``.
  func endWaiting() { isEnding.store(true, ordering: .relaxed) }

  /// Closes the connection after the current call. Calls that wait for the database fail.
  func close() {
    isClosing.store(true, ordering: .relaxed)
    state.withLock { state in
      state.isClosed = true
      state.connection = nil
    }
  }
}
