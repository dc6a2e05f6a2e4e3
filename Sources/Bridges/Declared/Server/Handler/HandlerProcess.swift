import BridgeRuntime
import Essentials
import Sessions

/// A handler that is a program. It starts with the server. If it ends, it starts again after a pause.
@BridgeActor
final class HandlerProcess: HandlerTransport {
  private let command: [String]
  private let directory: String
  private let place: String
  private let handler: DeclaredHandler
  private let log: HandlerLog
  private var child: ChildProcess?
  private var isStopped = false
  private var failures = 0
  private let queue = DispatchQueue(label: "footbridge.handler")

  let window = 1000
  private static let longestDelay = 5000

  /// Prepares a handler that runs `command` in a folder. `place` is the place of the setting.
  init(_ command: [String], in directory: String, place: String, _ handler: DeclaredHandler, _ log: HandlerLog) {
    self.command = command
    self.directory = directory
    self.place = place
    self.handler = handler
    self.log = log
  }

  /// Starts the program.
  ///
  /// - Throws: `OptionError` if the system cannot run it.
  func start() throws(OptionError) {
    do {
      try run()
    } catch {
      throw OptionError("\(place): \(error).")
    }
  }

  /// Ends the program for good.
  func stop() {
    isStopped = true
    guard let child else { return }
    handler.disconnected()
    child.end()
  }

  func send(_ line: HandlerLine) {
    guard let child else { return }
    // A program that does not read its input blocks only this queue.
    queue.async {
      child.write(line.bytes)
      Task { @BridgeActor [weak self] in
        if let self, self.child === child { handler.accepted(line) }
      }
    }
  }

  private func run() throws(ChildProcess.Failure) {
    let child = try ChildProcess(command, in: directory)
    self.child = child
    handler.connected(self)
    Task { [weak self] in
      var lines = HandlerLines()
      var notes = HandlerLines(limit: 4096)
      for await output in child.output {
        child.accepted()
        // The rest of its output is read, so that it can end.
        guard let self else { continue }
        switch output {
        case .said(let bytes):
          failures = 0
          for line in lines.push(bytes) { handler.receive(line) }
        case .noted(let bytes): for case .whole(let line) in notes.push(bytes) { log.said(line) }
        case .ended(let code): ended(code)
        }
      }
    }
  }

  private func ended(_ code: Int32) {
    child = nil
    if isStopped { return }
    failures += 1
    let delay = min(100 << min(failures - 1, 10), Self.longestDelay)
    handler.problem("has ended (\(Self.reason(code)); \(place)). It starts again in \(delay) ms.")
    handler.disconnected()
    Task { [weak self] in
      try? await Task.sleep(for: .milliseconds(delay))
      guard let self, !isStopped else { return }
      do {
        try run()
      } catch {
        ended(-1)
      }
    }
  }

  /// The meaning of an exit code. Shells end with 126 or 127 if they cannot run a command.
  private static func reason(_ code: Int32) -> String {
    switch code {
    case 126, 127: "code \(code), the command cannot be run"
    case ..<0: "signal \(-code)"
    default: "code \(code)"
    }
  }
}
