import BridgeCore
import BridgeRuntime
import BridgeServer
import Essentials
import HTTP1
import Sessions
import SiteServer

/// The ways to reach the handler of a declared bridge.
enum HandlerWay: Sendable {
  /// A command that the server runs in a folder.
  case run([String], directory: String)
  /// A server that gets each message by POST, with a time limit for its answer.
  /// The token tells that server that it is Footbridge who asks; nil for none.
  case post(HTTPOrigin, RequestTarget, timeout: Duration, token: Secret?)
  /// The handler connects to the control API.
  case connect
}

/// Reads `handler`: `{run: […]}`, `{url, timeout?, token?}`, or `connect`.
struct HandlerNode {
  /// The way to reach the handler.
  let way: HandlerWay
  /// The place of the setting, for the log.
  let place: String

  /// Reads the section.
  ///
  /// - Throws: `OptionError` with the place of what is wrong, such as a program that does not exist.
  init(_ node: InputNode) throws(OptionError) {
    place = node.place
    if !node.isMapping {
      guard try node.text() == "connect" else { throw node.expected("connect, or a mapping with run or url") }
      way = .connect
      return
    }
    let members = try node.section(["run", "url", "timeout", "token"])
    switch (members["run"], members["url"]) {
    case (let run?, nil):
      if let member = members["timeout"] ?? members["token"] { throw member.expected("left out: only a url has one") }
      way = try Self.command(run)
    case (nil, let url?): way = try Self.address(url, members["timeout"], token: members["token"])
    default: throw node.expected("given either a command, as run: [python3, acme.py], or a url")
    }
  }

  private static func command(_ run: InputNode) throws(OptionError) -> HandlerWay {
    guard run.isOfFile else {
      throw run.expected("left out: the control API starts no programs. Connect the handler, or give a url")
    }
    let command = try run.texts()
    let directory = URL(fileURLWithPath: run.file).deletingLastPathComponent().path
    guard let program = command.first, isProgram(program, in: directory) else {
      throw run.expected("a command, such as [python3, acme.py], whose program exists and can be run")
    }
    if let script = command.dropFirst().first(where: isScript), !isThere(script, in: directory) {
      throw run.expected("a command whose files exist: there is no \(script) in \(directory)")
    }
    return .run(command, directory: directory)
  }

  private static func address(
    _ url: InputNode, _ timeout: InputNode?, token: InputNode?
  ) throws(OptionError) -> HandlerWay {
    guard case .absolute(let scheme, let authority, let path, let query) = RequestTarget(try url.text(), method: .post),
      ["http", "https"].contains(scheme.lowercased())
    else { throw url.expected("an address such as http://127.0.0.1:8090/acme") }
    let origin = HTTPOrigin(isSecure: scheme.lowercased() == "https", authority: authority)
    let milliseconds = try timeout?.integer(in: 1...600_000) ?? 30_000
    return .post(
      origin, .origin(path: path.isEmpty ? "/" : path, query: query), timeout: .milliseconds(milliseconds),
      token: try token?.token())
  }

  /// The endings of the scripts that interpreters run.
  private static let scriptEndings = [".py", ".mjs", ".cjs", ".js", ".ts", ".rb", ".pl", ".php", ".sh"]

  private static func isScript(_ argument: String) -> Bool {
    !argument.hasPrefix("-") && !argument.contains(where: \.isWhitespace)
      && scriptEndings.contains { argument.hasSuffix($0) }
  }

  private static func isThere(_ path: String, in directory: String) -> Bool {
    access(path.hasPrefix("/") ? path : "\(directory)/\(path)", F_OK) == 0
  }

  /// Whether a folder, or `PATH`, has a program that can be run.
  private static func isProgram(_ name: String, in directory: String) -> Bool {
    if name.isEmpty { return false }
    if name.contains("/") {
      return access(name.hasPrefix("/") ? name : "\(directory)/\(name)", X_OK) == 0
    }
    let folders = ProcessInfo.processInfo.environment["PATH"]?.split(separator: ":") ?? []
    return folders.contains { access("\($0)/\(name)", X_OK) == 0 }
  }
}

extension InputNode {
  /// A bearer token (RFC 6750, section 2.1). A body has none: the declaration of a session's bridge is stored with the session.
  fileprivate func token() throws(OptionError) -> Secret {
    guard isOfFile else { throw expected("left out: only a file has the token of a handler") }
    let text = try text()
    guard ControlToken.isWellFormed(text) else {
      throw expected("a token of letters, digits and - . _ ~ + /, with = only at the end")
    }
    return Secret(text)
  }
}
