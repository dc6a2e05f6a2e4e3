import BridgeRuntime
import Essentials
import class Foundation.Thread
import Synchronization

/// A child process. The server writes to its standard input, and reads its standard output.
///
/// It leads a process group, and ends together with it: when it is asked to, when it ends by itself, and when the server ends, even if that
/// is killed.
final class ChildProcess: Sendable {
  /// An error in starting a program.
  enum Failure: Error, CustomStringConvertible {
    /// The system's error number.
    case notStarted(command: String, Int32)

    var description: String {
      switch self {
      case .notStarted(let command, let number):
        "\(command) cannot be started: \(String(cString: strerror(number)))"
      }
    }
  }

  /// The output of the process.
  enum Output: Sendable {
    /// Bytes of its standard output.
    case said([UInt8])
    /// Bytes of its standard error.
    case noted([UInt8])
    /// The process has ended with this code. Nothing comes after that.
    case ended(Int32)
  }

  /// The output, in order.
  let output: AsyncStream<Output>
  /// The id of the process and of its group.
  private let id: pid_t
  /// The maximum number of pieces of output that wait to be read. A program that writes faster has to wait.
  private let room = DispatchSemaphore(value: 16)
  private let input: Mutex<Int32?>
  /// Whether the process was reaped. Its id may then belong to another process.
  private let isOver = Mutex(false)

  /// The time that a process has to end after SIGTERM, in seconds.
  static let timeout: UInt32 = 2

  /// Starts a command in a folder, looked up in `PATH`.
  ///
  /// It gets the environment of this process, except Footbridge's own variables and those of PostgreSQL's client, which may be secrets.
  init(_ command: [String], in directory: String) throws(Failure) {
    let name = command.first ?? ""
    guard let input = Pipe(), let output = Pipe(), let errors = Pipe(), let end = Pipe() else {
      throw .notStarted(command: name, errno)
    }
    // Some systems cannot start a child in another folder, so a shell changes the folder.
    var arguments = (["/bin/sh", "-c", #"cd "$0" && exec "$@""#, directory] + command).map { strdup($0) } + [nil]
    let environment = ProcessInfo.processInfo.environment.filter { name, _ in
      !name.hasPrefix("FOOTBRIDGE_") && !name.hasPrefix("PG")
    }
    var variables = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    #if canImport(Darwin)
      var actions: posix_spawn_file_actions_t?
    #else
      var actions = posix_spawn_file_actions_t()
    #endif
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_adddup2(&actions, input.read, 0)
    posix_spawn_file_actions_adddup2(&actions, output.write, 1)
    posix_spawn_file_actions_adddup2(&actions, errors.write, 2)
    var attributes = SpawnAttributes(leadsGroup: true)
    var id = pid_t()
    let number = posix_spawn(&id, "/bin/sh", &actions, &attributes.value, &arguments, &variables)
    for pointer in arguments + variables { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    for end in [input.read, output.write, errors.write] { close(end) }
    guard number == 0 else {
      for end in [input.write, output.read, errors.read, end.read, end.write] { close(end) }
      throw .notStarted(command: name, number)
    }
    let child = id
    self.id = child
    self.input = Mutex(input.write)
    let (stream, continuation) = AsyncStream<Output>.makeStream()
    self.output = stream
    let companion = GroupCompanion(of: child)
    let allRead = DispatchSemaphore(value: 0)
    let room = room
    Thread.detachNewThread {
      Self.read(errors.read, until: end.read) { bytes in
        room.wait()
        continuation.yield(.noted(bytes))
      }
      allRead.signal()
    }
    Thread.detachNewThread {
      Self.read(output.read, until: end.read) { bytes in
        room.wait()
        continuation.yield(.said(bytes))
      }
      allRead.signal()
    }
    Thread.detachNewThread {
      var information = siginfo_t()
      while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      // Children that it has left may keep its output open.
      close(end.write)
      // The process is reaped only after this. Before that, no other process can have its id and get its signals.
      kill(-child, SIGTERM)
      var status: Int32 = 0
      self.isOver.withLock { isOver in
        isOver = true
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
      }
      for _ in 0..<2 { allRead.wait() }
      close(end.read)
      continuation.yield(.ended(status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)))
      continuation.finish()
      // While children are left, no other group has the id.
      if kill(-child, 0) == 0 {
        sleep(Self.timeout)
        kill(-child, SIGKILL)
      }
      companion?.end()
    }
  }

  /// Writes to its standard input, and waits until the process has read everything. Unread bytes are lost.
  func write(_ bytes: [UInt8]) {
    input.withLock { input in
      guard let input else { return }
      var rest = bytes[...]
      while !rest.isEmpty {
        let count = rest.withUnsafeBytes { Essentials.write(input, $0.baseAddress, $0.count) }
        if count < 0, errno == EINTR { continue }
        if count <= 0 { return }
        rest = rest.dropFirst(count)
      }
    }
  }

  /// Call this after each piece of output that was read.
  func accepted() { room.signal() }

  /// Asks the process and its children to end, and kills them if they do not.
  func end() {
    signal(SIGTERM)
    DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(Int(Self.timeout))) { self.signal(SIGKILL) }
  }

  private func signal(_ signal: Int32) {
    isOver.withLock { isOver in
      if !isOver { kill(-id, signal) }
    }
  }

  deinit {
    if let input = input.withLock({ $0 }) { close(input) }
  }

  /// Reads to the end, and closes. Once the other end of `end` is closed, it reads what is there, and no more.
  private static func read(_ descriptor: Int32, until end: Int32, _ take: ([UInt8]) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    var events = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0), pollfd(fd: end, events: 0, revents: 0)]
    while true {
      if poll(&events, nfds_t(events.count), -1) < 0, errno == EINTR { continue }
      if events[0].revents == 0 { break }
      let count = buffer.withUnsafeMutableBytes { Essentials.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      take(Array(buffer[..<count]))
    }
    close(descriptor)
  }
}
