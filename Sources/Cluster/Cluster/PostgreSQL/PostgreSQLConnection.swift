import BridgeRuntime
import CLibpq
import Essentials
import Sessions

/// A connection to PostgreSQL in pipeline mode: a statement is sent before the results of earlier statements have come.
///
/// Its methods block the calling thread. ``PostgreSQLLane`` makes sure that only one thread uses it at a time.
final class PostgreSQLConnection: @unchecked Sendable {
  /// The kind of request that a result answers.
  private enum Expectation { case preparation, rows, nothing, sync }

  /// Timeouts for statements.
  struct Timeouts: Sendable {
    /// The maximum time that a statement waits for locks of other transactions.
    let lock: Duration
    /// The maximum time that a statement runs.
    let statement: Duration
    /// The maximum time to connect to a host, in whole seconds.
    var connect = 5
    /// The maximum time to wait for an answer of the server, in nanoseconds. It is longer than the server's own timeout, and ends the wait if
    /// the server has stopped or the network is down.
    var wait: Int { Int(statement / .nanoseconds(1) * 1.5) }

    /// For changes.
    static let long = Timeouts(lock: .seconds(20), statement: .seconds(30))
    /// For reading sessions.
    static let reading = Timeouts(lock: .seconds(5), statement: .seconds(10))
    /// For statements that a request waits for.
    static let short = Timeouts(lock: .seconds(5), statement: .seconds(5))

    /// For extending a lease of this length. A quarter of it is the longest wait: then there is time for another connection.
    static func lease(_ length: Duration) -> Timeouts {
      let statement = min(max(length / 6, .milliseconds(250)), short.statement)
      return Timeouts(lock: statement, statement: statement, connect: 2)
    }
  }

  private let timeouts: Timeouts
  private let connection: OpaquePointer
  private var nameBySQL: [String: String] = [:]
  private var expectations: [Expectation] = []
  /// Whether a transaction is open, so that a failure must roll it back.
  private var isInTransaction = false

  /// Connects. Takes at most the `connect_timeout` of the address for each host, or that of `timeouts` if it has none.
  ///
  /// - Parameters:
  ///   - schema: The schema that contains the tables.
  ///   - timeouts: The timeouts of statements.
  init(_ address: PostgreSQLAddress, schema: String, timeouts: Timeouts = .long) throws(PostgreSQLError) {
    self.timeouts = timeouts
    // The address can override the parameters before it.
    let parameters = [
      ("fallback_application_name", "footbridge"), ("connect_timeout", "\(timeouts.connect)"),
      ("target_session_attrs", "read-write"),
      ("keepalives_idle", "5"), ("keepalives_interval", "2"), ("keepalives_count", "3"), ("tcp_user_timeout", "15000"),
      ("dbname", address.url), ("client_encoding", "UTF8"),
    ]
    let made = Self.withCStrings(parameters.map(\.0)) { names in
      Self.withCStrings(parameters.map(\.1)) { libpq_connectdbParams(names, $0, 1) }
    }
    guard let made else { throw PostgreSQLError(message: "There is not enough memory for a connection.", isLost: true) }
    connection = made
    guard libpq_status(made) == CONNECTION_OK else { throw PostgreSQLError(lost: made) }
    libpq_setNoticeProcessor(made, { _, _ in }, nil)
    guard libpq_setnonblocking(made, 1) == 0, libpq_enterPipelineMode(made) == 1 else {
      throw PostgreSQLError(lost: made)
    }
    for (name, value) in [
      ("search_path", schema), ("statement_timeout", Self.milliseconds(timeouts.statement)),
      ("lock_timeout", Self.milliseconds(timeouts.lock)),
      // A server that was stopped, or cut off, within a transaction must not keep others from its rows.
      ("idle_in_transaction_session_timeout", "5s"), ("tcp_keepalives_idle", "5"), ("tcp_keepalives_interval", "2"),
      ("tcp_keepalives_count", "3"), ("tcp_user_timeout", "15s"),
      // Every frequent statement can use an index. But PostgreSQL plans a prepared statement while the table is nearly empty, and would keep
      // a plan that scans the whole table. Compiling a statement (`jit`) takes longer than running it.
      ("enable_seqscan", "off"), ("jit", "off"),
    ] {
      try once("SELECT set_config($1, $2, false)", [.text(name), .text(value)])
    }
    // PostgreSQL 17 and later.
    try once("SELECT set_config(name, '60s', false) FROM pg_settings WHERE name = 'transaction_timeout'")
    // A commit that was acknowledged must survive a crash of PostgreSQL.
    try once(
      """
      SELECT set_config('synchronous_commit', 'on', false) WHERE current_setting('synchronous_commit') = 'off'
      """)
    try sync()
  }

  deinit { libpq_finish(connection) }

  private static func milliseconds(_ duration: Duration) -> String { "\(Int(duration / .milliseconds(1)))ms" }

  /// Whether the connection cannot be used any more.
  var isLost = false

  /// Checks whether the connection is lost. Notices that the server has closed it.
  func checkLoss() -> Bool {
    if isLost { return true }
    var poll = pollfd(fd: libpq_socket(connection), events: Int16(POLLIN), revents: 0)
    // While no statement runs, the server sends only notices, and a message before it closes the connection.
    while Essentials.poll(&poll, 1, 0) > 0 {
      if libpq_consumeInput(connection) == 0 { return true }
    }
    return libpq_status(connection) != CONNECTION_OK
  }

  // MARK: Transactions

  /// Begins a transaction. Does not wait for the server.
  func begin(_ mode: String = "") throws(PostgreSQLError) {
    isInTransaction = true
    try once("BEGIN \(mode)")
  }

  /// Commits the transaction. Returns when it is durable.
  func commit() throws(PostgreSQLError) {
    try once("COMMIT")
    try sync()
    isInTransaction = false
  }

  /// Makes the connection ready for the next transaction after one has failed.
  func rollBack() throws(PostgreSQLError) {
    // The results of earlier statements are not needed.
    do { try sync() } catch { if error.isLost { throw error } }
    guard isInTransaction else { return }
    isInTransaction = false
    // It is unknown which statements the server has prepared.
    nameBySQL = [:]
    try once("ROLLBACK")
    try once("DEALLOCATE ALL")
    try sync()
  }

  // MARK: Statements

  /// Sends a statement without preparing it. Its result is ignored.
  func once(_ sql: String, _ values: [StoreValue] = []) throws(PostgreSQLError) {
    let sent = Self.withParameters(values[...]) { count, texts, lengths, formats in
      libpq_sendQueryParams(connection, sql, count, nil, texts, lengths, formats, 1)
    }
    guard sent == 1 else { throw PostgreSQLError(lost: connection) }
    expectations.append(.nothing)
  }

  /// Sends a statement without waiting for its result.
  func send(_ sql: String, _ values: ArraySlice<StoreValue>) throws(PostgreSQLError) {
    try send(sql, values, expecting: .nothing)
  }

  /// Returns the rows of a statement. Waits for the results of all statements that were sent.
  func rows(_ sql: String, _ values: ArraySlice<StoreValue>) throws(PostgreSQLError) -> [[StoreValue]] {
    try send(sql, values, expecting: .rows)
    return try sync().last ?? []
  }

  /// Returns the rows of each query. Waits once for all of them, and for the results of all statements that were sent.
  func rows(ofAll queries: [StoreQuery]) throws(PostgreSQLError) -> [[[StoreValue]]] {
    for query in queries { try send(query.sql, query.values[...], expecting: .rows) }
    return try sync()
  }

  private func send(
    _ sql: String, _ values: ArraySlice<StoreValue>, expecting expectation: Expectation
  ) throws(PostgreSQLError) {
    let name: String
    if let known = nameBySQL[sql] {
      name = known
    } else {
      name = "s\(nameBySQL.count)"
      guard libpq_sendPrepare(connection, name, Self.numbered(sql), 0, nil) == 1 else {
        throw PostgreSQLError(lost: connection)
      }
      expectations.append(.preparation)
      nameBySQL[sql] = name
    }
    let sent = Self.withParameters(values) { count, texts, lengths, formats in
      libpq_sendQueryPrepared(connection, name, count, texts, lengths, formats, 1)
    }
    guard sent == 1 else { throw PostgreSQLError(lost: connection) }
    expectations.append(expectation)
  }

  /// Replaces the parameters `?` and `?1` of a statement by PostgreSQL's `$1`.
  static func numbered(_ sql: String) -> String {
    var text = ""
    var count = 0
    var isAfterMark = false
    for character in sql {
      if isAfterMark, !character.isNumber {
        count += 1
        text += String(count)
      }
      isAfterMark = character == "?"
      text.append(isAfterMark ? "$" : character)
    }
    return isAfterMark ? text + String(count + 1) : text
  }

  // MARK: Waiting

  /// Waits for the results of all statements that were sent. Returns the rows of each query among them.
  @discardableResult
  func sync() throws(PostgreSQLError) -> [[[StoreValue]]] {
    guard libpq_pipelineSync(connection) == 1 else { throw PostgreSQLError(lost: connection) }
    expectations.append(.sync)
    let deadline = MonotonicTime.nanoseconds + timeouts.wait
    var rows: [[[StoreValue]]] = []
    var failure: PostgreSQLError?
    let expected = expectations
    expectations = []
    for expectation in expected {
      var isFirst = true
      while let result = try nextResult(before: deadline) {
        defer { libpq_clear(result) }
        isFirst = false
        switch libpq_resultStatus(result) {
        case PGRES_TUPLES_OK where expectation == .rows: rows.append(Self.rows(of: result))
        case PGRES_FATAL_ERROR, PGRES_BAD_RESPONSE:
          if failure == nil { failure = PostgreSQLError(result, connection) }
          if failure?.isLost == true { throw failure ?? PostgreSQLError(lost: connection) }
        default: break
        }
        // No NULL follows the end of a pipeline.
        if libpq_resultStatus(result) == PGRES_PIPELINE_SYNC { break }
      }
      // Each statement has a result. libpq drops one for which it has no memory, and then waits for the server without end.
      if isFirst { throw PostgreSQLError(lost: connection) }
    }
    if let failure { throw failure }
    return rows
  }

  private func nextResult(before deadline: Int) throws(PostgreSQLError) -> OpaquePointer? {
    let message = messageLength
    while libpq_isBusy(connection) == 1 {
      // libpq drops the end of a pipeline for which it has no memory, and waits for another one: only its message tells.
      if messageLength != message { throw PostgreSQLError(lost: connection) }
      let isFlushed = try flushed()
      try wait(for: isFlushed ? POLLIN : POLLIN | POLLOUT, before: deadline)
      guard libpq_consumeInput(connection) == 1 else { throw PostgreSQLError(lost: connection) }
    }
    return libpq_getResult(connection)
  }

  /// The length of libpq's message.
  private var messageLength: Int { libpq_errorMessage(connection).map { strlen($0) } ?? 0 }

  /// Sends buffered bytes until the socket is full. Returns whether all are sent; libpq keeps the rest.
  private func flushed() throws(PostgreSQLError) -> Bool {
    let result = libpq_flush(connection)
    guard result >= 0 else { throw PostgreSQLError(lost: connection) }
    return result == 0
  }

  private func wait(for events: Int32, before deadline: Int) throws(PostgreSQLError) {
    let now = MonotonicTime.nanoseconds
    var poll = pollfd(fd: libpq_socket(connection), events: Int16(events), revents: 0)
    let result = now < deadline ? Essentials.poll(&poll, 1, CInt((deadline - now) / 1_000_000 + 1)) : 0
    if result == 0 { throw PostgreSQLError(message: "The server does not answer.", isLost: true) }
    if result < 0, errno != EINTR { throw PostgreSQLError(message: String(cString: strerror(errno)), isLost: true) }
  }
}

// MARK: Values

extension PostgreSQLConnection {
  private static func rows(of result: OpaquePointer) -> [[StoreValue]] {
    let columns = libpq_nfields(result)
    return (0..<libpq_ntuples(result)).map { row in
      (0..<columns).map { value(of: result, row, $0) }
    }
  }

  private static func value(of result: OpaquePointer, _ row: CInt, _ column: CInt) -> StoreValue {
    if libpq_getisnull(result, row, column) == 1 { return .null }
    let bytes = UnsafeRawBufferPointer(
      start: libpq_getvalue(result, row, column), count: Int(libpq_getlength(result, row, column)))
    switch libpq_ftype(result, column) {
    // The type numbers of bool, then of int8, int2 and int4. They never change.
    case 16: return .integer(Int(bytes.first ?? 0))
    case 20, 21, 23:
      let isNegative = bytes.first.map { $0 >= 0x80 } ?? false
      return .integer(bytes.reduce(isNegative ? -1 : 0) { $0 << 8 | Int($1) })
    // bytea.
    case 17: return .blob(Array(bytes))
    default: return .utf8(Array(bytes))
    }
  }

  /// Runs `body` with the values in the form that libpq takes: numbers as text, all others as bytes.
  private static func withParameters<Result>(
    _ values: ArraySlice<StoreValue>,
    _ body: (CInt, [UnsafePointer<CChar>?], [CInt], [CInt]) -> Result
  ) -> Result {
    var lengths: [CInt] = []
    var formats: [CInt] = []
    // All bytes are in one array, since the pointers to all values must be valid at the same time.
    var bytes: [UInt8] = []
    var offsets: [Int?] = []
    for value in values {
      let start = bytes.count
      switch value {
      // Text in PostgreSQL cannot contain NUL.
      case .text(let text) where text.utf8.contains(0): bytes += text.replacing("\0", with: "\u{FFFD}").utf8
      case .text(let text): bytes += text.utf8
      case .utf8(let text): bytes += text
      case .blob(let blob): bytes += blob
      case .integer(let integer): bytes += String(integer).utf8
      case .null: break
      }
      let isNumber = if case .integer = value { true } else { false }
      offsets.append(value == .null ? nil : start)
      lengths.append(CInt(bytes.count - start))
      formats.append(isNumber ? 0 : 1)
      bytes.append(0)
    }
    return bytes.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { characters in
        body(
          CInt(offsets.count), offsets.map { offset in offset.flatMap { characters.baseAddress?.advanced(by: $0) } },
          lengths, formats)
      }
    }
  }

  private static func withCStrings<Result>(
    _ texts: [String], _ body: ([UnsafePointer<CChar>?]) -> Result
  ) -> Result {
    let copies = texts.map { strdup($0) }
    defer { for copy in copies { free(copy) } }
    return body(copies.map { UnsafePointer($0) } + [nil])
  }
}
