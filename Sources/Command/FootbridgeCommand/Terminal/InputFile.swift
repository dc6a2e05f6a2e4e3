import Essentials
import class Foundation.FileHandle

/// A file that a flag names.
enum InputFile {
  /// Whether other users than its owner may read a file.
  static func isReadableByOthers(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG && status.st_mode & 0o044 != 0
  }

  /// Reads a whole file of at most `limit` bytes. `name` is its name in errors.
  static func read(_ path: String, named name: String, limit: Int = 16 << 20) throws -> Data {
    var status = stat()
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR {
      throw Failure.noInput("\(name) is a folder. Name a file.")
    }
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure.noInput("\(name) cannot be read: \(String(cString: strerror(errno))). Check the path.")
    }
    do {
      let data = try handle.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else { throw Failure.data("\(name) is larger than \(limit) bytes.") }
      return data
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure.noInput("\(name) cannot be read: \(error.localizedDescription)")
    }
  }
}
