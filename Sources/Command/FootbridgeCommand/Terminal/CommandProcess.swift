import BridgeRuntime
import Essentials
import class Foundation.Thread
import UnixSignals

/// A child process with the standard streams, terminal and open files of this process.
///
/// `posix_spawnp` starts it, so that it stays in Footbridge's process group. A command that talks to its user, such as a debugger, then has
/// the terminal, and Ctrl-C reaches it directly.
struct CommandProcess: Sendable {
  /// An error in starting a command.
  struct SpawnError: Error {
    /// The system's error number, such as `ENOENT`.
    let number: Int32
  }

  private let id: pid_t

  /// Starts a command, which it looks up in `PATH`. `environment` is added to the environment of this process. If there is `input`, a short
  /// text, it is the command's standard input. Unlike arguments, other users of the machine cannot see it.
  init(_ command: [String], environment: [String: String] = [:], input: String? = nil) throws(SpawnError) {
    let variables = ProcessInfo.processInfo.environment.merging(environment) { _, new in new }
    var arguments = command.map { strdup($0) } + [nil]
    var values = variables.map { strdup("\($0.key)=\($0.value)") } + [nil]
    var attributes = SpawnAttributes()
    #if canImport(Darwin)
      var fileActions: posix_spawn_file_actions_t?
    #else
      var fileActions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&fileActions)
    defer {
      for pointer in arguments + values { free(pointer) }
      posix_spawn_file_actions_destroy(&fileActions)
    }
    let reader = try input.map(Self.reader)
    defer { if let reader { close(reader) } }
    if let reader { posix_spawn_file_actions_adddup2(&fileActions, reader, STDIN_FILENO) }
    var id = pid_t()
    let number = posix_spawnp(&id, command[0], &fileActions, &attributes.value, &arguments, &values)
    guard number == 0 else { throw SpawnError(number: number) }
    self.id = id
  }

  /// The reading end of a pipe with a text in it. The text must fit into the pipe.
  private static func reader(of text: String) throws(SpawnError) -> Int32 {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { throw SpawnError(number: errno) }
    defer { close(ends[1]) }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    let bytes = Array(text.utf8)
    guard bytes.count <= Int(PIPE_BUF), write(ends[1], bytes, bytes.count) == bytes.count else {
      close(ends[0])
      throw SpawnError(number: E2BIG)
    }
    return ends[0]
  }

  /// Forwards a signal to the command.
  ///
  /// The terminal sends Ctrl-C and Ctrl-\ to the whole foreground process group, so the command already gets them. A second signal would
  /// end test runners during their cleanup.
  func passOn(_ signal: Int32) {
    if signal == SIGINT || signal == SIGQUIT, Self.isInForeground { return }
    kill(id, signal)
  }

  /// Waits for the command to end. Its process id stays reserved until ``exitCode()``, so that a signal cannot reach another process.
  func waitForEnd() async {
    await withCheckedContinuation { continuation in
      Thread.detachNewThread { [id] in
        var information = siginfo_t()
        while waitid(P_PID, id_t(id), &information, WEXITED | WNOWAIT) != 0, errno == EINTR {}
        continuation.resume()
      }
    }
  }

  /// The exit code of a command that has ended; 128 plus the number of the signal if a signal ended it, as in a shell. Call it once.
  func exitCode() -> Int32 {
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
    let signal = status & 0x7F
    return signal == 0 ? (status >> 8) & 0xFF : 128 + signal
  }

  /// Whether this process is in the terminal's foreground.
  private static var isInForeground: Bool {
    let terminal = open("/dev/tty", O_RDONLY | O_CLOEXEC | O_NOCTTY)
    guard terminal >= 0 else { return false }
    defer { close(terminal) }
    return tcgetpgrp(terminal) == getpgrp()
  }
}

extension CommandProcess {
  /// Runs a command to its end and returns its exit code. As in a shell, that is 127 if the command does not exist, and 126 if it cannot be
  /// run.
  static func run(
    _ command: [String], environment: [String: String] = [:], passingOn signals: UnixSignalsSequence
  ) async -> Int32 {
    let process: CommandProcess
    do {
      process = try CommandProcess(command, environment: environment)
    } catch {
      Terminal.printError("\(command[0]) cannot be run: \(String(cString: strerror(error.number)))")
      return error.number == ENOENT ? 127 : 126
    }
    let passingOn = Task {
      for await signal in signals { process.passOn(signal.rawValue) }
    }
    await process.waitForEnd()
    passingOn.cancel()
    await passingOn.value
    return process.exitCode()
  }
}
