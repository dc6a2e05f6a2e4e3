import ArgumentParser
import BridgeRuntime
import ControlClient
import Essentials
import Footbridge
import HTTP1
import Sessions

/// The options of commands that use a running server.
struct ServerChoice: ParsableArguments {
  /// The variable that `exec` sets.
  static let variable = "FOOTBRIDGE_URL"

  @Option(
    help: ArgumentHelp("The address of the server. (default: the running server of this user)", valueName: "url"),
    completion: .custom { _, _, _ in ServerRecord.running().map(\.url).filter(CtlCompletion.isPlain) })
  var server: String?

  @Option(
    help: ArgumentHelp(
      "A file with the token of its control API. (default: the token in the server's record)", valueName: "file"),
    completion: .file())
  var tokenFile: String?

  /// The server that the options, the environment, or the running servers name.
  ///
  /// - Throws: ``Failure`` if there is none, or if there are several and none of them was started in the working directory.
  func find() throws -> ControlServer {
    let environment = ProcessInfo.processInfo.environment
    let (named, source) =
      server.map { ($0, "--server") } ?? environment[Self.variable].flatMap { $0.isEmpty ? nil : ($0, Self.variable) }
      ?? (nil, "")
    let running = ServerRecord.running()
    guard let named else {
      let record = try Self.choose(running)
      return try Self.server(record.url, "the record of the server", Secret(record.token), self)
    }
    let address = Self.normalized(named)
    let record = running.first { Self.normalized($0.url) == address }
    let token = try given(environment) ?? record.map { Secret($0.token) }
    guard let token else {
      throw Failure.usage(
        "The token of the server at \(named) is not known. Name a file that has it with --token-file, or set "
          + "\(ServerOption.controlToken.variable).")
    }
    return try Self.server(named, source, token, self)
  }

  private static func normalized(_ url: String) -> HTTPOrigin? {
    HTTPOrigin(url.hasSuffix("/") ? String(url.dropLast()) : url)
  }

  private static func server(
    _ url: String, _ source: String, _ token: Secret, _ choice: ServerChoice
  ) throws -> ControlServer {
    guard let origin = normalized(url) else {
      throw Failure.usage("\(source) is \(url). It must be the address of a server, such as http://127.0.0.1:8080.")
    }
    return ControlServer(origin: origin, token: try choice.tokenFile.map(token(inFile:)) ?? token)
  }

  /// The token that an option or a variable gives.
  private func given(_ environment: [String: String]) throws -> Secret? {
    if let tokenFile { return try Self.token(inFile: tokenFile) }
    if let token = environment[ServerOption.controlToken.variable], !token.isEmpty { return Secret(token) }
    guard let file = environment[ServerOption.controlTokenFile.variable], !file.isEmpty else { return nil }
    return try Self.token(inFile: file)
  }

  private static func token(inFile path: String) throws -> Secret {
    let text = String(decoding: try InputFile.read(path, named: path, limit: 64 << 10), as: UTF8.self)
    do throws(OptionError) {
      return try OptionSources.controlToken(inFile: text, named: path)
    } catch {
      throw Failure.data(error.description)
    }
  }

  /// The only running server, or the only one that was started in the working directory.
  private static func choose(_ running: [ServerRecord]) throws -> ServerRecord {
    if running.count == 1 { return running[0] }
    let here = running.filter { $0.folder == FileManager.default.currentDirectoryPath }
    if here.count == 1 { return here[0] }
    guard !running.isEmpty else {
      throw Failure.unavailable(
        "No server of this user is running. Start one with footbridge serve, or name one with --server.")
    }
    let list = running.map { "  \($0.url)  started in \($0.folder)" }.joined(separator: "\n")
    throw Failure.usage("Several servers are running. Name one with --server:\n\(list)")
  }
}
