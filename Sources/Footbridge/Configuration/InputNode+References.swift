import BridgeRuntime
import Essentials
import class Foundation.FileHandle

/// Values that stand for something else: a file, or a time.
extension InputNode {
  /// The path of a file or folder. A relative one starts at the folder of the YAML file if it leads somewhere from there, or else at the working
  /// directory.
  func pathOfFile() throws(OptionError) -> String {
    let path = try text()
    if path.hasPrefix("/") { return path }
    let beside = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(path).path
    return FileManager.default.fileExists(atPath: beside) ? beside : path
  }

  /// The content of the file that this is the path of, at most `limit` bytes.
  func fileContent(limit: Int) throws(OptionError) -> Data {
    let path = try pathOfFile()
    guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.read(upToCount: limit + 1) else {
      throw OptionError("\(place) is \(path), a file that cannot be read. Check the path.")
    }
    guard data.count <= limit else { throw OptionError("\(place) is \(path), which is larger than \(limit) bytes.") }
    return data
  }

  /// A time of RFC 3339, section 5.6.
  func instant() throws(OptionError) -> BridgeInstant {
    guard let instant = BridgeInstant(rfc3339: try text()) else {
      throw expected("a time of RFC 3339 from 1970 on, such as 2026-01-31T12:00:00Z")
    }
    return instant
  }
}
