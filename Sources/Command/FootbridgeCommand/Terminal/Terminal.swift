import ArgumentParser
import BridgeRuntime
import Essentials
import WebServer

/// The command's output.
enum Terminal {
  /// The width of the terminal; nil if standard output is not a terminal.
  static var width: Int? {
    guard isatty(STDOUT_FILENO) == 1 else { return nil }
    var size = winsize()
    guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
    return Int(size.ws_col)
  }

  /// Prints a line of the result to standard output. If that fails, the command ends with `EX_IOERR`. If the reader has gone, it prints no
  /// error.
  static func print(_ line: String) throws {
    do throws(StandardStream.WriteError) {
      try StandardStream.output.write(line + "\n")
    } catch {
      if error.isUnread { throw ExitCode(EX_IOERR) }
      throw Failure.output("Standard output cannot be written: \(error.reason). Check where it goes.")
    }
  }

  /// Prints the lines of a started server to standard output. If that fails, the server continues, and its address goes to standard error.
  static func announce(_ lines: [String], of server: String) {
    do throws(StandardStream.WriteError) {
      try StandardStream.output.write(lines.map { $0 + "\n" }.joined())
    } catch {
      if error.isUnread { return }
      printError("Standard output cannot be written: \(error.reason). The server runs at \(server).")
    }
  }

  /// Prints a line to standard error, after the command's name. Ignores a failure.
  static func printError(_ line: String) {
    try? StandardStream.error.write("footbridge: \(line)\n")
  }

  /// Runs a command's body. A failure becomes one line on standard error and an exit code.
  static func run(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let failure as Failure {
      throw exit(failure)
    } catch let error as HTTPServerError {
      throw exit(Failure(error))
    }
  }

  private static func exit(_ failure: Failure) -> ExitCode {
    printError(failure.message)
    return ExitCode(failure.code)
  }
}
