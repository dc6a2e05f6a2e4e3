import Essentials

/// A file that a command writes.
enum OutputFile {
  /// Writes a file.
  ///
  /// - Throws: ``Failure/output(_:)`` with the path and the reason.
  static func write(_ bytes: [UInt8], to path: String, options: Data.WritingOptions = []) throws {
    do {
      try Data(bytes).write(to: URL(fileURLWithPath: path), options: options)
    } catch {
      throw Failure.output("\(path) cannot be written: \(error.localizedDescription)")
    }
  }
}
