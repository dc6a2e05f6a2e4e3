import ArgumentParser
import Foundation

/// What the command says to its user.
enum Terminal {
  /// Prints a line to standard output.
  static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// Prints a line to standard error, behind the command's name.
  static func printError(_ line: String) {
    FileHandle.standardError.write(Data("footbridge: \(line)\n".utf8))
  }

  /// Runs a command's body; a failure becomes one line on standard error and its exit code.
  static func run(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let failure as Failure {
      printError(failure.message)
      throw ExitCode(failure.code)
    }
  }
}
