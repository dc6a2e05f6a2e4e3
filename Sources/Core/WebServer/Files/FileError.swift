import Essentials

/// Why the system could not look up or open a file, though the file may be there.
public enum FileError: Error, Sendable, Hashable, CustomStringConvertible {
  /// The process has no descriptors left for files.
  case tooManyOpen
  /// The system gives another reason, such as a disk that fails.
  case system(reason: String)

  /// What happened, in one sentence.
  public var description: String {
    switch self {
    case .tooManyOpen: "This server has no file descriptors left."
    case .system(let reason): "The file cannot be read: \(reason)."
    }
  }

  /// Throws an error for an error code, unless the code says that there is no file that this user may open.
  static func check(_ code: Int32) throws(FileError) {
    switch code {
    case ENOENT, ENOTDIR, EACCES, EPERM, ELOOP, ENAMETOOLONG, EISDIR, ENXIO, ENODEV: return
    case EMFILE, ENFILE: throw .tooManyOpen
    default: throw .system(reason: String(cString: strerror(code)))
    }
  }
}
