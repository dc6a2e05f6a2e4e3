import Logging

/// The log of a server, on standard error. Each line names the module that it comes from.
struct ServerLog: LogHandler {
  private var stream: StreamLogHandler

  /// Creates the log of the logger with this label.
  init(label: String) {
    stream = .standardError(label: label)
  }

  var logLevel: Logger.Level {
    get { stream.logLevel }
    set { stream.logLevel = newValue }
  }

  var metadata: Logger.Metadata {
    get { stream.metadata }
    set { stream.metadata = newValue }
  }

  subscript(metadataKey key: String) -> Logger.Metadata.Value? {
    get { stream[metadataKey: key] }
    set { stream[metadataKey: key] = newValue }
  }

  func log(event: LogEvent) {
    var event = event
    event.source = Self.module(of: event.file)
    stream.log(event: event)
  }

  /// The module of a source file.
  ///
  /// - Parameter file: What `#fileID` is there: `Module/File.swift`. In a release, the compiler sees the files under
  ///   relative paths (see the Makefile), and `#fileID` is such a path: `Sources/Core/Module/Folder/File.swift`.
  static func module(of file: String) -> String {
    let folders = file.split(separator: "/").dropLast().map(String.init)
    guard folders.first == "Sources", folders.count >= 3 else { return folders.first ?? "footbridge" }
    return folders[2]
  }
}
