import BridgeRuntime
import Essentials

/// Ends a process group when the server ends, even if the server is killed: a shell that waits for the end of a pipe. The system closes the
/// pipe together with the server.
///
/// Linux can also send a signal to a child when its parent ends, but only one signal, and to the child alone.
final class GroupCompanion: Sendable {
  private let id: pid_t
  private let pipe: Int32

  private static let script = """
    trap "" HUP INT TERM
    read -r word && exit
    kill -s TERM -- "-$1"
    sleep "$2"
    kill -s KILL -- "-$1"
    """

  /// Starts the shell for a group; nil if the system cannot.
  init?(of group: pid_t) {
    guard let pipe = Pipe() else { return nil }
    defer { close(pipe.read) }
    let words = ["/bin/sh", "-c", Self.script, "footbridge", "\(group)", "\(ChildProcess.timeout)"]
    var arguments = words.map { strdup($0) } + [nil]
    var variables = [strdup("PATH=/usr/bin:/bin"), nil]
    defer { for pointer in arguments + variables { free(pointer) } }
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    posix_spawn_file_actions_adddup2(&actions, pipe.read, STDIN_FILENO)
    // Whoever reads the server's output must not wait for this.
    for stream in [STDOUT_FILENO, STDERR_FILENO] {
      posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0)
    }
    var attributes = SpawnAttributes(leadsGroup: true)
    var id = pid_t()
    guard posix_spawn(&id, "/bin/sh", &actions, &attributes.value, &arguments, &variables) == 0 else {
      close(pipe.write)
      return nil
    }
    self.id = id
    self.pipe = pipe.write
  }

  /// The group has ended. Ends the shell, and waits for that.
  func end() {
    let word = Array("ended\n".utf8)
    _ = write(pipe, word, word.count)
    close(pipe)
    var status: Int32 = 0
    while waitpid(id, &status, 0) < 0, errno == EINTR {}
  }
}
