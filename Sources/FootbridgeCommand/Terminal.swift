import ArgumentParser
import BridgeRuntime
import Foundation
import WebServer

/// What the command says to its user.
enum Terminal {
  /// Prints a line, which is what the command was asked for, to standard output. Where that fails the command has: it ends with
  /// `EX_IOERR`, without a word when nobody reads any more.
  static func print(_ line: String) throws {
    do throws(StandardStream.WriteError) {
      try StandardStream.output.write(line + "\n")
    } catch {
      if error.isUnread { throw ExitCode(EX_IOERR) }
      throw Failure.output("Standard output cannot be written: \(error.reason). Check where it leads to.")
    }
  }

  /// Prints lines that a server has for whoever started it to standard output. The server is there all the same when they cannot be
  /// written; standard error then says where.
  static func announce(_ lines: [String], of server: String) {
    do throws(StandardStream.WriteError) {
      try StandardStream.output.write(lines.map { $0 + "\n" }.joined())
    } catch {
      if error.isUnread { return }
      printError("Standard output cannot be written: \(error.reason). The server goes on, at \(server).")
    }
  }

  /// Prints a line to standard error, behind the command's name, if anybody can be told there.
  static func printError(_ line: String) {
    try? StandardStream.error.write("footbridge: \(line)\n")
  }

  /// Runs a command's body; a failure becomes one line on standard error and its exit code.
  static func run(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let failure as Failure {
      throw exit(failure)
    } catch let error as WebServerError {
      throw exit(Failure(error))
    }
  }

  private static func exit(_ failure: Failure) -> ExitCode {
    printError(failure.message)
    return ExitCode(failure.code)
  }
}
