import Essentials
package import Logging
package import Sessions
import Synchronization

/// A PostgreSQL database. A transaction that only writes takes one round trip. Reads use separate connections.
package final class PostgreSQLEngine: StoreEngine {
  /// The name of the schema that contains all tables.
  package static let usualSchema = "footbridge"
  /// The maximum number of attempts to run a transaction that conflicts with others.
  private static let mostTries = 5

  /// The address of the database.
  package let address: PostgreSQLAddress
  private let schema: String
  let logger: Logger
  private let writer: PostgreSQLLane
  private let readers: [PostgreSQLLane]
  private let nextReader = Atomic(0)
  private let mark = Mutex(TransactionMark())
  /// The connection for the start of the server, and for data that is rarely read or written.
  let starter: PostgreSQLLane

  /// Connects, and creates the tables if there are none.
  ///
  /// - Throws: ``StateError``.
  package init(
    _ address: PostgreSQLAddress, schema: String = usualSchema, logger: Logger
  ) throws(StateError) {
    self.address = address
    self.schema = schema
    self.logger = logger
    func lane(_ label: String, _ timeouts: PostgreSQLConnection.Timeouts) -> PostgreSQLLane {
      PostgreSQLLane(address, schema: schema, label: Self.label(label), timeouts: timeouts)
    }
    writer = lane("writer", .long)
    readers = [lane("reader", .reading), lane("reader", .reading)]
    starter = lane("starter", .long)
    do {
      try starter.performNow { try PostgreSQLSchema.prepare($0, schema, at: address) }
    } catch let error as StateError {
      throw error
    } catch {
      throw Self.unusable(address, error)
    }
  }

  /// Creates a separate connection, for statements that a request waits for.
  func lane(_ name: String, _ timeouts: PostgreSQLConnection.Timeouts = .short) -> PostgreSQLLane {
    PostgreSQLLane(address, schema: schema, label: Self.label(name), timeouts: timeouts)
  }

  private static func label(_ name: String) -> String { "footbridge.store.\(name)" }

  package func willClose() {
    for lane in [writer, starter] + readers { lane.endWaiting() }
  }

  package func close() {
    willClose()
    do {
      // If the database cannot be reached, do not wait for it: a later server deletes the row.
      try writer.performNow { connection in try mark.withLock { try $0.end(connection) } }
    } catch {
      logger.info(
        "This server's row in \(address) could not be deleted: \(error). A later server deletes it after 30 days.")
    }
    for lane in [writer, starter] + readers { lane.close() }
  }

  // MARK: Transactions

  package func read<Value: Sendable>(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Value
  ) async throws -> Value {
    let number = nextReader.wrappingAdd(1, ordering: .relaxed).newValue
    let reader = readers[number & 1]
    do {
      return try await reader.perform { try $0.reading(body) }
    } catch let error as PostgreSQLError where error.isLost {
      // The database may have been restarted meanwhile.
      return try await reader.perform { try $0.reading(body) }
    }
  }

  package func readNow<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
    try starter.performNow { try $0.reading(body) }
  }

  package func write(
    _ body: @escaping @Sendable (any StoreTransaction) throws -> Void
  ) async throws(StoreFailure) {
    var tries = 0
    // The number of the transaction whose end is unknown.
    var sent: Int?
    defer { if let sent { mark.withLock { _ = $0.takeEnd(of: sent) } } }
    while true {
      tries += 1
      do {
        // If it is unknown whether a transaction was committed, find that out before it is written again.
        let outcome = try await writer.perform(waitsWithoutLimit: sent != nil) { [self, sent] connection in
          try mark.withLock { try Self.write(body, connection, &$0, after: sent) }
        }
        switch outcome {
        case .committed: return
        case .sent(let number, let error):
          if sent == nil {
            logger.notice(
              "The connection to \(address) was lost during a commit: \(error). The server reconnects and checks whether the change is stored."
            )
          }
          // The database may be there and not yet ready.
          if sent != nil { try await Task.sleep(for: .milliseconds(100)) }
          sent = number
        case .again(let error):
          sent = nil
          if tries >= Self.mostTries { throw error }
        }
      } catch let error as PostgreSQLError {
        mark.withLock { $0.reopen() }
        if error.isFence { throw .fenced }
        if sent != nil { throw .undecided(.database(error)) }
        throw error.isTheDatabases ? .database(error) : .refused(error)
      } catch {
        throw .refused(error)
      }
    }
  }

  private enum Outcome {
    case committed
    /// The connection was lost after the transaction with this number was sent.
    case sent(Int, PostgreSQLError)
    /// It is not committed, and may be tried again.
    case again(PostgreSQLError)
  }

  /// - Parameter sent: The number with which the transaction was sent before, if its end is unknown.
  private static func write(
    _ body: (any StoreTransaction) throws -> Void, _ connection: PostgreSQLConnection, _ mark: inout TransactionMark,
    after sent: Int?
  ) throws -> Outcome {
    if mark.isOpen {
      do {
        try mark.begin(connection)
      } catch let error as PostgreSQLError where error.isTheDatabases {
        guard let sent else { throw error }
        connection.isLost = true
        return .sent(sent, error)
      }
    }
    if let sent, mark.takeEnd(of: sent) == true { return .committed }
    var isCommitting = false
    do {
      try connection.begin()
      try mark.advance(connection)
      try body(PostgreSQLTransaction(connection: connection))
      isCommitting = true
      try connection.commit()
      return .committed
    } catch let error as PostgreSQLError where error.isLost {
      connection.isLost = true
      if isCommitting { return .sent(mark.lose(), error) }
      mark.reopen()
      return .again(error)
    } catch {
      try connection.rollBack()
      guard let error = error as? PostgreSQLError else { throw error }
      if TransactionMark.hasFailed(error) {
        mark.reopen()
        return .again(error)
      }
      if error.isConflict { return .again(error) }
      throw error
    }
  }

  // MARK: Damage

  // PostgreSQL checks and repairs its own files.
  package var needsCheck: Bool { false }
  package func check() async -> StoreCondition { .whole }
  package func replaceDamaged() async throws {}
  package func mayBeDamage(_ error: any Error) -> Bool { false }

  package func isUnavailable(_ error: any Error) -> Bool { (error as? PostgreSQLError)?.isTheDatabases ?? false }

  package func unusable(_ error: any Error) -> StateError { Self.unusable(address, error) }

  private static func unusable(_ address: PostgreSQLAddress, _ error: any Error) -> StateError {
    if let error = error as? PostgreSQLError, error.isLost {
      return .unreachable(address.description, reason: "\(error.message).")
    }
    return .unusable(address.description, reason: "\(error).")
  }
}

extension PostgreSQLConnection {
  /// Reads in a transaction with one consistent view of the database.
  fileprivate func reading<Value>(_ body: (any StoreTransaction) throws -> Value) throws -> Value {
    try transaction("ISOLATION LEVEL REPEATABLE READ READ ONLY", body)
  }
}
