import CLibpq
import Essentials

/// An error of PostgreSQL, or of the connection to it.
///
/// The text leaves out the details (`DETAIL`) that the server sends: they can contain a row, and rows contain cookies.
package struct PostgreSQLError: Error, CustomStringConvertible {
  /// The error code (`SQLSTATE`); nil if the error does not come from the server.
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

  /// Creates an error for a connection that is lost, or could not be opened.
  init(lost connection: OpaquePointer?) {
    self.init(message: libpq_errorMessage(connection).map { String(cString: $0) } ?? "", isLost: true)
  }

  /// Creates the error of a statement. One without a code is libpq's own, such as missing memory: what the server has answered is unknown then,
  /// even to a commit.
  init(_ result: OpaquePointer, _ connection: OpaquePointer) {
    func field(_ code: UnicodeScalar) -> String? {
      libpq_resultErrorField(result, CInt(code.value)).map { String(cString: $0) }
    }
    // PG_DIAG_MESSAGE_PRIMARY and PG_DIAG_SQLSTATE. Swift does not import these macros.
    let code = field("C")
    self.init(
      message: field("M") ?? libpq_resultErrorMessage(result).map { String(cString: $0) } ?? "", code: code,
      isLost: code == nil || libpq_status(connection) != CONNECTION_OK)
  }

  package var description: String { code.map { "\(message) (\($0))" } ?? message }

  /// The codes of a server that shuts down, has crashed, is starting, or has closed the connection.
  private static let codesOfLoss = ["57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "08003", "08006"]

  /// Whether the function `checkFences` has refused the transaction.
  var isFence: Bool { code == PostgreSQLSchema.fenceCode }

  /// Whether the transaction conflicts with another one. It can succeed if it is tried again.
  var isConflict: Bool { ["40001", "40P01"].contains(code) }

  /// Whether the database has failed, not the statement: it is full, read-only, broken or too busy, or the connection is lost.
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
