import CLibpq
import Essentials

/// Why PostgreSQL, or the way to it, has failed.
///
/// The text has no detail of the server: that can contain a row, and rows contain cookies.
package struct PostgreSQLError: Error, CustomStringConvertible {
  /// The code of the error (`SQLSTATE`); nil if it does not come from the server.
  let code: String?
  /// What happened.
  let message: String
  /// Whether the connection is gone.
  let isLost: Bool

  init(message: String, code: String? = nil, isLost: Bool = false) {
    self.message = message.trimmed
    self.code = code
    self.isLost = isLost || code.map { Self.codesOfLoss.contains($0) } ?? false
  }

  /// The connection is gone or could not be made.
  init(lost connection: OpaquePointer?) {
    self.init(message: libpq_errorMessage(connection).map { String(cString: $0) } ?? "", isLost: true)
  }

  /// The error of a statement.
  init(_ result: OpaquePointer, _ connection: OpaquePointer) {
    func field(_ code: UnicodeScalar) -> String? {
      libpq_resultErrorField(result, CInt(code.value)).map { String(cString: $0) }
    }
    // PG_DIAG_MESSAGE_PRIMARY and PG_DIAG_SQLSTATE, which are no constants for Swift.
    self.init(
      message: field("M") ?? libpq_resultErrorMessage(result).map { String(cString: $0) } ?? "", code: field("C"),
      isLost: libpq_status(connection) != CONNECTION_OK)
  }

  package var description: String { code.map { "\(message) (\($0))" } ?? message }

  /// The server shuts down, has crashed, starts, or has ended the connection.
  private static let codesOfLoss = ["57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "08003", "08006"]

  /// Whether the function `checkFences` has refused the transaction.
  var isFence: Bool { code == PostgreSQLSchema.fenceCode }

  /// Whether the same transaction can succeed now: others were in its way.
  var isConflict: Bool { ["40001", "40P01"].contains(code) }

  /// Whether the statement is not the reason: the database is full, read-only, broken, or too busy.
  var isTheDatabases: Bool {
    guard !isLost, let code else { return true }
    return ["25006", "55P03", "40001", "40P01"].contains(code)
      || ["08", "53", "57", "58", "XX"].contains { code.hasPrefix($0) }
  }
}

extension String {
  fileprivate var trimmed: String {
    var text = self[...]
    while text.last?.isWhitespace == true { text.removeLast() }
    return text.split(separator: "\n").joined(separator: "; ")
  }
}
