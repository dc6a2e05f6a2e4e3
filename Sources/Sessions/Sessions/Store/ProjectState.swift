import BridgeRuntime
import Cryptography
import Essentials
package import Logging

/// The state directories of projects. Each project has its own folder in the user's folder. So two servers can run side by side, and no
/// project sees the purchases of another.
///
/// Browsers send the session's cookie to every port of a host. So one cookie value names a session in each project, and no server replaces
/// the cookie of another.
extension StateDirectory {
  /// The user's folder: `footbridge` in the XDG state directory. Other users of the machine cannot create it first.
  public static var usersPath: String { usersPath(in: ProcessInfo.processInfo.environment) }

  /// Returns the user's folder for these environment variables.
  static func usersPath(in environment: [String: String]) -> String {
    if let base = environment["XDG_STATE_HOME"], base.hasPrefix("/") { return base + "/footbridge" }
    return (environment["HOME"] ?? URL.homeDirectory.path) + "/.local/state/footbridge"
  }

  /// Returns the default folder of a project: for a project in `…/shop/site`, `projects/shop-site-3f2a9c1b` in the user's folder.
  ///
  /// - Parameter folder: The folder of the project. If a project is moved, its path changes, and it gets another state folder.
  public static func defaultPath(ofProject folder: String) -> String {
    "\(projectsPath)/\(name(ofProject: realPath(folder)))"
  }

  private static var projectsPath: String { usersPath + "/projects" }

  /// Returns the name of a project's folder: the end of its path, for people, and a part of the path's hash.
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

  /// Returns the absolute path of a folder, with symbolic links resolved.
  static func realPath(_ folder: String) -> String {
    guard let resolved = realpath(folder, nil) else { return URL(fileURLWithPath: folder).standardizedFileURL.path }
    defer { free(resolved) }
    return String(cString: resolved)
  }

  /// The file in a state folder that contains the path of its project.
  private static let projectFileName = "project"

  /// Returns the storage of the certificate authority. All projects of a user share one, so that people need to trust only one.
  package func authorityStorage() throws -> any StateStorage {
    guard URL(fileURLWithPath: path).deletingLastPathComponent().path == Self.projectsPath else { return self }
    return try StateDirectory(path: Self.usersPath)
  }

  /// Logs the path of the state directory. If it is the default folder of this project, writes the project's path into it.
  ///
  /// - Throws: ``StateError/unusable(_:reason:)``.
  package func introduce(project folder: String, _ logger: Logger) throws {
    guard path == Self.defaultPath(ofProject: folder) else { return logger.info("The state is in \(path).") }
    let project = Self.realPath(folder)
    if try read(Self.projectFileName) == nil { try write(Data("\(project)\n".utf8), to: Self.projectFileName) }
    logger.info("The state of the project \(project) is in \(path).")
  }
}
