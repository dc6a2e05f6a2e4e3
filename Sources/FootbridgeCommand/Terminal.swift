import ArgumentParser
import Foundation

/// What the command says to its user.
enum Terminal {
  /// Prints a line to standard output.
  static func print(_ line: String) {
    FileHandle.standardOutput.write(Data((line + "\n").utf8))
  }

  /// Runs a command's body; a failure becomes one line on standard error and its exit code.
  static func run(_ body: () async throws -> Void) async throws {
    do {
      try await body()
    } catch let failure as Failure {
      FileHandle.standardError.write(Data("footbridge: \(failure.message)\n".utf8))
      throw ExitCode(failure.code)
    }
  }
}
