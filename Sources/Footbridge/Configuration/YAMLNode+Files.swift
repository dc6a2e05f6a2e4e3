import Foundation

extension YAMLNode {
  /// The content of the file whose path this is: in the folder of the YAML file, or else in the working directory.
  func fileContent(limit: Int) throws(OptionError) -> Data {
    let path = try text()
    let candidates = [URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(path).path, path]
    let handle =
      path.hasPrefix("/")
      ? FileHandle(forReadingAtPath: path) : candidates.lazy.compactMap { FileHandle(forReadingAtPath: $0) }.first
    guard let handle, let data = try? handle.read(upToCount: limit + 1) else {
      throw OptionError("\(place) is \(path), which cannot be read. Check the path.")
    }
    guard data.count <= limit else { throw OptionError("\(place) is \(path), which is larger than \(limit) bytes.") }
    return data
  }
}
