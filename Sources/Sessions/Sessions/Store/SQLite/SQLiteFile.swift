import Essentials
import GRDB
import GRDBSQLite

/// A second look at a file that SQLite calls damaged.
///
/// SQLite says the same of a file with wrong content and of a disk that cannot read it. So this connection also reads all bytes, as SQLite
/// reads pages, and sees the errors of the disk.
struct SQLiteFile {
  private static let chunkSize = 4096

  let path: String

  /// Checks the whole file. This takes seconds for a large one.
  func condition() -> StoreCondition {
    var database: OpaquePointer?
    defer { sqlite3_close_v2(database) }
    guard sqlite3_open_v2(path, &database, SQLITE_OPEN_READWRITE, nil) == SQLITE_OK, let database else {
      return .unreadable(database.map(Self.message) ?? "There is not enough memory.")
    }
    SQLiteEngine.retainLog(database)
    sqlite3_busy_timeout(database, 5000)
    // Twice, since the disk may have failed between the two ways to read.
    for _ in 0..<2 {
      if let error = Self.readError(database) { return .unreadable(error) }
      switch Self.quickCheck(database) {
      case .damaged: continue
      case let other: return other
      }
    }
    return Self.readError(database).map { .unreadable($0) } ?? .damaged
  }

  private static func message(_ database: OpaquePointer) -> String {
    sqlite3_errmsg(database).map { String(cString: $0) } ?? ""
  }

  /// Reads the database and its write-ahead log. Returns the error of the disk; nil if there is none.
  private static func readError(_ database: OpaquePointer) -> String? {
    for name in [SQLITE_FCNTL_FILE_POINTER, SQLITE_FCNTL_JOURNAL_POINTER] {
      var file: UnsafeMutablePointer<sqlite3_file>?
      guard sqlite3_file_control(database, nil, name, &file) == SQLITE_OK, let file,
        let methods = file.pointee.pMethods?.pointee
      else { continue }
      var size: sqlite3_int64 = 0
      var chunk = [UInt8](repeating: 0, count: chunkSize)
      guard let xFileSize = methods.xFileSize, let xRead = methods.xRead, xFileSize(file, &size) == SQLITE_OK else {
        return String(cString: strerror(errno))
      }
      for offset in stride(from: 0, to: size, by: chunkSize) {
        let count = min(sqlite3_int64(chunkSize), size - offset)
        switch ResultCode(rawValue: xRead(file, &chunk, CInt(count), offset)) {
        // Another connection may have made the log shorter.
        case .SQLITE_OK, .SQLITE_IOERR_SHORT_READ: break
        default: return String(cString: strerror(errno))
        }
      }
    }
    return nil
  }

  private static func quickCheck(_ database: OpaquePointer) -> StoreCondition {
    var statement: OpaquePointer?
    defer { sqlite3_finalize(statement) }
    var result = sqlite3_prepare_v2(database, "PRAGMA quick_check(1)", -1, &statement, nil)
    if result == SQLITE_OK { result = sqlite3_step(statement) }
    switch result & 0xFF {
    case SQLITE_ROW:
      return sqlite3_column_text(statement, 0).map { String(cString: $0) } == "ok" ? .whole : .damaged
    case SQLITE_CORRUPT, SQLITE_NOTADB: return .damaged
    default: return .unreadable(message(database))
    }
  }
}
