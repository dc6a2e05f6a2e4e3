package import Sessions
public import WebServer

/// What is set about the server's process: how it waits, how it ends, and what it leaves.
public struct ProcessOptions: Sendable {
  /// The maximum time that a stopping server waits for requests and calls in progress. Zero cuts them off.
  public var drainTimeout: Duration = .seconds(5)
  /// The system call that waits for sockets. The first server of a process decides for all servers.
  public var eventLoop = EventLoopKind.automatic
  /// The file that the server writes when it stops: the session that was used last, with its transcript and without secrets. Nil for none.
  public var exportOnExit: String?

  init() {}
}

extension ServerOption {
  package static let config = ServerOption(
    "config", .text, "footbridge.yaml", help: "A YAML file with these options and more.")
  package static let `import` = ServerOption(
    "import", .pathOfInput, "file.json",
    help: "An exported session: sessions of browsers begin as its copies. (default: an app that was just installed)")
  package static let exportOnExit = ServerOption(
    "exportOnExit", .text, "file.json",
    help:
      "When the server stops, write the session that was used last to this file, with its transcript and without secrets."
  )
  package static let drainTimeout = ServerOption(
    "drainTimeout", .text, "seconds",
    help: "How long the server may take to finish requests in progress and to stop. (default: 5)")
  package static let eventLoop = ServerOption(
    "eventLoop", .text, "kind",
    help: "The event loop: poll, libev, or auto, which is libev where it is installed. (default: auto)")
  package static let logLevel = ServerOption(
    "logLevel", .text, "level",
    help: "How much to log: trace, debug, info, notice, warning or error. (default: info)")
}

/// How the options are read. The command itself reads those that are not about the server: `config`, `import` and `logLevel`.
extension ProcessOptions {
  static let options: [ServerOption] = [
    .config, .import, .exportOnExit, .drainTimeout, .eventLoop, .logLevel,
  ]

  init(_ values: OptionValues) throws(OptionError) {
    if let timeout = try values.seconds(.drainTimeout, in: 0...86_400) { drainTimeout = timeout }
    if let eventLoop: EventLoopKind = try values.choice(.eventLoop) { self.eventLoop = eventLoop }
    exportOnExit = values[.exportOnExit]?.value
  }
}
