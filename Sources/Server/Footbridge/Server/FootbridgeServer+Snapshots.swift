import BridgeCore
import BridgeRuntime
import BridgeServer
public import Essentials
import Sessions

/// Imports and exports sessions as files.
extension FootbridgeServer {
  /// Makes new sessions of browsers begin with an exported session. Call this before the server listens.
  ///
  /// The first session gets the orders unchanged. Later ones get them with new ids, since a server finds the session of an order by its id.
  ///
  /// - Parameters:
  ///   - file: The content of the file (`--import`).
  ///   - name: The name of the file in errors.
  /// - Throws: `OptionError` with the place of what is wrong.
  public func begin(with file: Data, named name: String) async throws {
    guard file.count <= SessionFile.byteLimit else {
      throw OptionError("\(name) is larger than \(SessionFile.byteLimit) bytes.")
    }
    let json: JSONValue
    do throws(JSONError) {
      json = try JSONValue(parsing: Array(file))
    } catch {
      throw OptionError("\(name) is not valid JSON: \(error.description(in: file)).")
    }
    sessions.initialSnapshot = try await SessionFile.snapshot(InputNode(json, source: name), sessions.bridgeTable)
  }

  /// Writes the session that was used last to `FootbridgeOptions.exportOnExit`, with its transcript and without secrets. A failure is
  /// only logged, since the server stops anyway.
  func exportLastSession() {
    guard let path = options.exportOnExit else { return }
    let running = sessions.running.sorted { ($0.pages.count, $0.lastUse) < ($1.pages.count, $1.lastUse) }
    guard let session = running.last else {
      return logger.notice("\(path) was not written: there was no session.")
    }
    do {
      let json = try SessionFile.json(of: session, withSecrets: false, withTranscript: true, at: clock.now)
      try Data((json.jsonText + "\n").utf8).write(to: URL(fileURLWithPath: path), options: .atomic)
      let others = running.count > 1 ? " The server had \(running.count - 1) more." : ""
      logger.info("The session \(session.id) was exported to \(path).\(others)")
    } catch {
      logger.error("\(path) could not be written: \(error)")
    }
  }

  /// Checks at the start that a file can be created at this path.
  ///
  /// - Throws: ``SiteError/fileNotWritable(_:path:reason:)``.
  static func checkExport(_ path: String) throws(SiteError) {
    let url = URL(fileURLWithPath: path)
    let folder = url.deletingLastPathComponent().path
    if url.hasDirectoryPath {
      throw .fileNotWritable(ServerOption.exportOnExit.flag, path: path, reason: "It names a folder")
    }
    guard access(folder, W_OK) == 0 else {
      throw .fileNotWritable(ServerOption.exportOnExit.flag, path: path, reason: String(cString: strerror(errno)))
    }
  }
}
