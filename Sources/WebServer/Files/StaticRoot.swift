import Foundation
import HTTP1

/// A folder whose files are served, and nothing outside it.
public struct StaticRoot: Sendable {
  /// What stands at a path.
  public enum Lookup: Sendable {
    /// A file.
    case file(OpenFile)
    /// A folder that was asked for without the slash at its end.
    case folderWithoutSlash
    /// Nothing that may be served; the text says what was looked for.
    case notFound(String)
  }

  /// The folder's path, symbolic links resolved.
  public let path: String

  /// Opens a folder. Nil when there is none at `path`.
  public init?(path: String) {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    var status = stat()
    guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    self.path = String(cString: resolved)
  }

  /// Whether a file or folder on this machine lies in the root, symbolic links resolved.
  public func contains(_ path: String) -> Bool {
    guard let resolved = realpath(path, nil) else { return false }
    defer { free(resolved) }
    return contains(resolved: String(cString: resolved))
  }

  private func contains(resolved: String) -> Bool {
    resolved == path || resolved.hasPrefix(path == "/" ? path : path + "/")
  }

  /// Looks up the path of a request's target, still escaped.
  ///
  /// A folder stands for its `index.html`, and a name for the file of that name with `.html` behind it if it is no file itself, as static
  /// hosts have it: `/about` is `about.html`, also where there is a folder `about`. Files come with the encoded copies beside them.
  ///
  /// Refused, as if there were nothing: `.` and `..` in any spelling, an escaped slash or NUL, invalid escapes or UTF-8, names that begin
  /// with a dot (except `.well-known`), and files that a symbolic link outside the root stands for.
  nonisolated(nonsending) public func lookUp(_ target: String) async throws -> Lookup {
    guard let components = Self.components(of: target) else {
      return .notFound("\(target) is no path of a file that can be served.")
    }
    return try await FileQueue.run { [self] in find(components, isFolder: target.hasSuffix("/")) }
  }

  /// The decoded names that a path is made of, or nil when one of them cannot be a file's.
  static func components(of target: String) -> [String]? {
    guard let segments = PercentEncoding.decodeSegments(ofPath: target) else { return nil }
    let names = segments.filter { !$0.isEmpty }
    return names.allSatisfy { !$0.hasPrefix(".") || $0 == ".well-known" } ? names : nil
  }

  private func find(_ components: [String], isFolder: Bool) -> Lookup {
    let relative = components.joined(separator: "/")
    var status = stat()
    let exists = stat(path + "/" + relative, &status) == 0
    let isDirectory = exists && status.st_mode & S_IFMT == S_IFDIR
    if !isFolder, !components.isEmpty, !exists || isDirectory, let document = open(relative + ".html") {
      return .file(document)
    }
    guard exists else { return .notFound("There is no file /\(relative) in the root folder.") }
    if isDirectory {
      if !isFolder, !components.isEmpty { return .folderWithoutSlash }
      let index = (components + ["index.html"]).joined(separator: "/")
      return open(index).map { .file($0) } ?? .notFound("There is no file /\(index) in the root folder.")
    }
    if isFolder { return .notFound("/\(relative) is a file, not a folder: ask for it without the slash at the end.") }
    return open(relative).map { .file($0) }
      ?? .notFound("/\(relative) cannot be served: it is no file, unreadable, or leads out of the root.")
  }

  private func open(_ relative: String) -> OpenFile? {
    guard let descriptor = descriptor(of: relative) else { return nil }
    var copies: [ContentCoding: OpenFile] = [:]
    for coding in ContentCoding.allCases {
      guard let descriptor = self.descriptor(of: relative + "." + coding.fileExtension) else { continue }
      copies[coding] = OpenFile(descriptor: descriptor, name: relative)
    }
    return OpenFile(descriptor: descriptor, name: relative, copies: copies)
  }

  /// Opens the file and then asks the system where it is: a link that changes between a check and the opening changes nothing.
  private func descriptor(of relative: String) -> Int32? {
    let descriptor = Foundation.open(path + "/" + relative, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else { return nil }
    guard let resolved = resolvedPath(of: descriptor), contains(resolved: resolved) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
