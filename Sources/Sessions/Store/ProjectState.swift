import BridgeRuntime
import Cryptography
import Essentials
package import Logging

/// The state of projects. Each project has a folder of its own in the user's folder, so that two servers can run side by side, and no project
/// sees the purchases of another.
///
/// Browsers send the session's cookie to every port of a host. The same value therefore names a session in each project, and no server
/// replaces the cookie of another.
extension StateDirectory {
  /// The user's folder: `footbridge` in the XDG state directory. Other users of the machine can never create it first.
  public static var usersPath: String { usersPath(in: ProcessInfo.processInfo.environment) }

  /// The user's folder with these environment variables.
  static func usersPath(in environment: [String: String]) -> String {
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/footbridge" }
    return (environment["HOME"] ?? URL.homeDirectory.path) + "/.local/state/footbridge"
  }

  /// The default folder of a project: `projects/shop-site-3f2a9c1b` in the user's folder, for a project in `…/shop/site`.
  ///
  /// - Parameter folder: The folder of the project. Its path decides: a project that is moved gets another folder for its state.
  public static func defaultPath(ofProject folder: String) -> String {
    "\(projectsPath)/\(name(ofProject: realPath(folder)))"
  }

  private static var projectsPath: String { usersPath + "/projects" }

  /// The name of a project's folder: the end of its path, for people, and a part of the path's hash.
  static func name(ofProject path: String) -> String {
    let words = path.split(separator: "/").suffix(2).map { component in
      String(component.prefix(40).map { isReadable($0) ? $0 : "-" }.drop { $0 == "." })
    }
    let hash = Hexadecimal.text(Array(SHA256.hash("footbridge project \(path)").prefix(4)))
    return (words + [hash]).joined(separator: "-")
  }

  private static func isReadable(_ character: Character) -> Bool {
    character.isASCII && (character.isLetter || character.isNumber || character == "." || character == "_")
  }

  /// The absolute path of a folder, without symbolic links.
  static func realPath(_ folder: String) -> String {
    guard let resolved = realpath(folder, nil) else { return URL(fileURLWithPath: folder).standardizedFileURL.path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The file in a project's folder that says whose state it is.
  private static let projectFileName = "project"

  /// The folder of the authority that people trust. The projects of a user share it: otherwise people would trust one for each project.
  package func authorityStorage() throws -> any StateStorage {
    guard URL(fileURLWithPath: path).deletingLastPathComponent().path == Self.projectsPath else { return self }
    return try StateDirectory(path: Self.usersPath)
  }

  /// Logs where the state is. In the default folder of this project, also notes whose it is.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)``.
  package func introduce(project folder: String, _ logger: Logger) throws {
    guard path == Self.defaultPath(ofProject: folder) else { return logger.info("The state is in \(path).") }
    let project = Self.realPath(folder)
    let isNew = try read(Self.projectFileName) == nil
    if isNew { try write(Data("\(project)\n".utf8), to: Self.projectFileName) }
    logger.info("The state of the project \(project) is in \(path).")
    let users = Self.usersPath
    guard isNew, FileManager.default.fileExists(atPath: "\(users)/\(SQLiteEngine.fileName)") else { return }
    logger.notice(
      "This project begins without purchases. Those of earlier versions, for all projects, are still in \(users): --state \(users) continues with them."
    )
  }
}
