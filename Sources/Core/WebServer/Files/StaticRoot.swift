import Essentials
import HTTP1

/// A folder whose files can be served, and nothing outside it.
///
/// ```swift
/// guard let root = StaticRoot(path: "site") else { … }
/// switch try await root.lookUp("/about") {
/// case .file(let file): await exchange.serve(file)
/// case .folderWithoutSlash: exchange.respond(.movedPermanently, fields: [.location: "/about/"])
/// case .notFound(let text): exchange.respond(.notFound, body: Array(text.utf8))
/// }
/// ```
public struct StaticRoot: Sendable {
  /// The result of a lookup.
  public enum Lookup: Sendable {
    /// A file.
    case file(OpenFile)
    /// A folder, but the path has no slash at its end.
    case folderWithoutSlash
    /// There is nothing to serve. The text says why, for the body of the response.
    case notFound(String)
  }

  /// The folder's path with symbolic links resolved.
  public let path: String

  /// Creates a root; nil when there is no folder at `path`.
  public init?(path: String) {
    guard let resolved = realpath(path, nil) else { return nil }
    defer { free(resolved) }
    var status = stat()
    guard stat(resolved, &status) == 0, status.st_mode & S_IFMT == S_IFDIR else { return nil }
    self.path = String(cString: resolved)
  }

  /// Whether a path on this machine lies in the root, with symbolic links resolved. False if nothing is there.
  public func contains(_ path: String) -> Bool {
    guard let resolved = realpath(path, nil) else { return false }
    defer { free(resolved) }
    return contains(resolved: String(cString: resolved))
  }

  private func contains(resolved: String) -> Bool {
    resolved == path || resolved.hasPrefix(path == "/" ? path : path + "/")
  }

  /// Looks up a path.
  ///
  /// For a folder, finds its `index.html`. For a name without a file, finds the file with `.html` appended, as other
  /// static hosts do: `/about` is `about.html`, even if there is a folder `about`. The result includes the encoded
  /// copies next to the file.
  ///
  /// Does not find: `.` and `..` in any spelling, an escaped slash or NUL, invalid escapes or UTF-8, names that begin
  /// with a dot (except `.well-known`), files that this user may not open, and symbolic links that lead out of the root.
  ///
  /// Looks up files on another thread.
  ///
  /// - Parameter target: The path of the request target, still escaped.
  /// - Throws: ``FileError`` when the system fails.
  nonisolated(nonsending) public func lookUp(_ target: String) async throws(FileError) -> Lookup {
    guard let components = Self.components(of: target) else {
      return .notFound("\(target) is not the path of a file that can be served.")
    }
    return try await FileQueue.run { [self] () throws(FileError) in
      try find(components, isFolder: target.hasSuffix("/"))
    }
  }

  /// The decoded names in a path; nil when one of them is not allowed.
  static func components(of target: String) -> [String]? {
    guard let segments = PercentEncoding.decodeSegments(ofPath: target) else { return nil }
    let names = segments.filter { !$0.isEmpty }
    return names.allSatisfy { !$0.hasPrefix(".") || $0 == ".well-known" } ? names : nil
  }

  private func find(_ components: [String], isFolder: Bool) throws(FileError) -> Lookup {
    let relative = components.joined(separator: "/")
    var status = stat()
    let exists = stat(path + "/" + relative, &status) == 0
    if !exists { try FileError.check(errno) }
    let isDirectory = exists && status.st_mode & S_IFMT == S_IFDIR
    if !isFolder, !components.isEmpty, !exists || isDirectory, let document = try open(relative + ".html") {
      return .file(document)
    }
    guard exists else { return .notFound("There is no file /\(relative) in the root folder.") }
    if isDirectory {
      if !isFolder, !components.isEmpty { return .folderWithoutSlash }
      let index = (components + ["index.html"]).joined(separator: "/")
      return try open(index).map { .file($0) } ?? .notFound("There is no file /\(index) in the root folder.")
    }
    if isFolder { return .notFound("/\(relative) is a file, not a folder: remove the slash at the end.") }
    return try open(relative).map { .file($0) }
      ?? .notFound("/\(relative) cannot be served: it is not a regular file, is unreadable, or leads out of the root.")
  }

  private func open(_ relative: String) throws(FileError) -> OpenFile? {
    guard let descriptor = try descriptor(of: relative) else { return nil }
    var copies: [ContentCoding: OpenFile] = [:]
    do throws(FileError) {
      for coding in ContentCoding.allCases {
        guard let copy = try self.descriptor(of: relative + "." + coding.fileExtension) else { continue }
        copies[coding] = OpenFile(descriptor: copy, name: relative)
      }
    } catch {
      close(descriptor)
      throw error
    }
    return OpenFile(descriptor: descriptor, name: relative, copies: copies)
  }

  /// Opens the file first, and then checks the path of the open file, so that a link cannot change in between.
  private func descriptor(of relative: String) throws(FileError) -> Int32? {
    let descriptor = Essentials.open(path + "/" + relative, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard descriptor >= 0 else {
      try FileError.check(errno)
      return nil
    }
    guard !isAmongTheLast(descriptor) else {
      close(descriptor)
      throw .tooManyOpen
    }
    guard let resolved = resolvedPath(of: descriptor), contains(resolved: resolved) else {
      close(descriptor)
      return nil
    }
    return descriptor
  }
}
