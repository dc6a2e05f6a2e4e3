import BridgeCore
import BridgeRuntime
import Essentials
import Logging
import Sessions

/// The program of a declared bridge's handler. It starts with the server, and again after a while whenever it has ended.
@BridgeActor
final class HandlerProcess {
  private let command: [String]
  private let directory: String
  private let bridge: String
  private let messages: HandlerMessages
  private let logger: Logger
  private var child: ChildProcess?
  private var isStopped = false
  private var failures = 0
  private var unwritten = 0
  private let queue = DispatchQueue(label: "footbridge.handler")

  private static let longestLine = 1 << 20
  private static let longestDelay = 5000

  /// Prepares a handler that runs `command` in a folder.
  init(_ command: [String], in directory: String, bridge: String, messages: HandlerMessages, logger: Logger) {
    self.command = command
    self.directory = directory
    self.bridge = bridge
    self.messages = messages
    self.logger = logger
  }

  /// Starts the program.
  ///
  /// - Throws: `OptionError` when the system cannot run it.
  func start() throws(OptionError) {
    do {
      try run()
    } catch {
      throw OptionError("bridges.\(bridge).handler: \(error).")
    }
  }

  /// Ends the program for good.
  func stop() {
    isStopped = true
    guard let child else { return }
    messages.handlerLeft()
    child.end()
  }

  private func run() throws(ChildProcess.Failure) {
    let child = try ChildProcess(command, in: directory)
    self.child = child
    unwritten = 0
    messages.handlerCame { [weak self] in self?.write($0, to: child) ?? false }
    Task { [weak self] in
      var lines = HandlerLines(limit: Self.longestLine)
      var notes = HandlerLines(limit: 4096)
      for await output in child.output {
        guard let self else { return }
        switch output {
        case .said(let bytes):
          failures = 0
          for line in lines.push(bytes) { messages.receive(line) }
        case .noted(let bytes):
          for case let line? in notes.push(bytes) {
            logger.notice("handler of \(bridge): \(String(decoding: line, as: UTF8.self))")
          }
        case .ended(let code): ended(code)
        }
      }
    }
  }

  private func write(_ line: [UInt8], to child: ChildProcess) -> Bool {
    guard unwritten < HandlerMessages.mostWaiting else { return false }
    unwritten += 1
    // A program that does not read keeps only this queue waiting.
    queue.async {
      child.write(line)
      Task { @BridgeActor [weak self] in
        guard let self, self.child === child else { return }
        unwritten -= 1
      }
    }
    return true
  }

  private func ended(_ code: Int32) {
    child = nil
    if isStopped { return }
    messages.handlerLeft()
    failures += 1
    let delay = min(100 << min(failures - 1, 10), Self.longestDelay)
    logger.warning("The handler of the bridge \(bridge) has ended (\(code)). It starts again in \(delay) ms.")
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
}
