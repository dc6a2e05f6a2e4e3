import Foundation

/// A file that a flag names.
enum InputFile {
  /// Reads the whole file, at most `limit` bytes.
  static func read(_ path: String, limit: Int = 16 << 20) throws -> Data {
    guard let handle = FileHandle(forReadingAtPath: path) else {
      throw Failure.noInput("\(path) cannot be read: \(String(cString: strerror(errno))). Check the path.")
    }
    do {
      let data = try handle.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else { throw Failure.data("\(path) is larger than \(limit) bytes.") }
      return data
    } catch let failure as Failure {
      throw failure
    } catch {
      throw Failure.noInput("\(path) cannot be read: \(error.localizedDescription)")
    }
  }
}
