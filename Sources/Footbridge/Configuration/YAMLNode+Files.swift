import Foundation

extension YAMLNode {
  /// The path that this is: of what is there in the folder of the YAML file, or else in the working directory.
  func pathOfFile() throws(OptionError) -> String {
    let path = try text()
    if path.hasPrefix("/") { return path }
    let beside = URL(fileURLWithPath: file).deletingLastPathComponent().appendingPathComponent(path).path
    return FileManager.default.fileExists(atPath: beside) ? beside : path
  }

  /// The content of the file whose path this is.
  func fileContent(limit: Int) throws(OptionError) -> Data {
    let path = try pathOfFile()
    guard let handle = FileHandle(forReadingAtPath: path), let data = try? handle.read(upToCount: limit + 1) else {
      throw OptionError("\(place) is \(path), which cannot be read. Check the path.")
    }
    guard data.count <= limit else { throw OptionError("\(place) is \(path), which is larger than \(limit) bytes.") }
    return data
  }
}
