import Essentials
import Synchronization
import class Foundation.Thread

/// A child process. The server writes to its standard input, and reads its standard output.
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
  private let id: pid_t
  /// The maximum number of pieces of output that wait to be read. A program that writes faster has to wait.
  private let room = DispatchSemaphore(value: 16)
  private let input: Mutex<Int32?>
  /// Whether the process was reaped. Its id may then belong to another process.
  private let isOver = Mutex(false)

  /// The time that a process has to end after SIGTERM.
  private static let patience = DispatchTimeInterval.seconds(2)

  #if canImport(Darwin)
    private typealias FileActions = posix_spawn_file_actions_t?
  #else
    private typealias FileActions = posix_spawn_file_actions_t
  #endif

  /// Starts a command in a folder, looked up in `PATH`.
  ///
  /// It gets the environment of this process, except Footbridge's own variables and those of PostgreSQL's client, which may be secrets.
  init(_ command: [String], in directory: String) throws(Failure) {
    let name = command.first ?? ""
    guard let input = Pipe(), let output = Pipe(), let errors = Pipe() else {
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
    var id = pid_t()
    let number = posix_spawn(&id, "/bin/sh", &actions, nil, &arguments, &variables)
    for pointer in arguments + variables { free(pointer) }
    posix_spawn_file_actions_destroy(&actions)
    for end in [input.read, output.write, errors.write] { close(end) }
    guard number == 0 else {
      for end in [input.write, output.read, errors.read] { close(end) }
      throw .notStarted(command: name, number)
    }
    let child = id
    self.id = child
    self.input = Mutex(input.write)
    let (stream, continuation) = AsyncStream<Output>.makeStream()
    self.output = stream
    let allNoted = DispatchSemaphore(value: 0)
    let room = room
    Thread.detachNewThread {
      Self.read(errors.read) { bytes in
        room.wait()
        continuation.yield(.noted(bytes))
      }
      allNoted.signal()
    }
    Thread.detachNewThread {
      Self.read(output.read) { bytes in
        room.wait()
        continuation.yield(.said(bytes))
      }
      allNoted.wait()
      var status: Int32 = 0
      // The process is reaped only here, after its end. Before that, no other process can have its id and get its signals.
      var information = siginfo_t()
      while waitid(P_PID, id_t(child), &information, WEXITED | WNOWAIT) < 0, errno == EINTR {}
      self.isOver.withLock { isOver in
        isOver = true
        while waitpid(child, &status, 0) < 0, errno == EINTR {}
      }
      continuation.yield(.ended(status & 0x7F == 0 ? (status >> 8) & 0xFF : -(status & 0x7F)))
      continuation.finish()
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
  func taken() { room.signal() }

  /// Asks the process to end, and kills it if it does not.
  func end() {
    signal(SIGTERM)
    DispatchQueue.global().asyncAfter(deadline: .now() + Self.patience) { self.signal(SIGKILL) }
  }

  private func signal(_ signal: Int32) {
    isOver.withLock { isOver in
      if !isOver { kill(id, signal) }
    }
  }

  deinit {
    if let input = input.withLock({ $0 }) { close(input) }
  }

  /// Reads to the end, and closes.
  private static func read(_ descriptor: Int32, _ take: ([UInt8]) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 1 << 16)
    while true {
      let count = buffer.withUnsafeMutableBytes { Essentials.read(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      take(Array(buffer[..<count]))
    }
    close(descriptor)
  }
}

/// The two ends of a pipe. Other children do not inherit them.
private struct Pipe {
  let read: Int32
  let write: Int32

  init?() {
    var ends: [Int32] = [0, 0]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    (read, write) = (ends[0], ends[1])
  }
}
