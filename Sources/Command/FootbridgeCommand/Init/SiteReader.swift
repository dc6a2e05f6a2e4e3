import Essentials

/// Reads the documents and scripts of a folder to see which bridges they use.
struct SiteReader {
  /// How many files are read at most, and of each how many bytes.
  private static let longest = 2000
  private static let largest = 4 << 20
  private static let deepest = 12
  private static let endings = ["html", "htm", "js", "mjs", "cjs", "jsx", "ts", "tsx", "vue", "svelte"]
  /// Folders that hold the work of others.
  private static let leftOut: Set<String> = ["node_modules", "vendor", "build", "Pods"]

  private(set) var marks = BridgeMarks()
  private var count = 0

  /// Reads a folder, and those in it, without following links.
  init(_ folder: String) {
    read(folder, depth: 0)
  }

  private mutating func read(_ folder: String, depth: Int) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    for name in names.sorted() where !name.hasPrefix(".") && count < Self.longest {
      let path = "\(folder)/\(name)"
      var status = stat()
      guard lstat(path, &status) == 0 else { continue }
      switch status.st_mode & S_IFMT {
      case S_IFDIR where depth < Self.deepest && !Self.leftOut.contains(name): read(path, depth: depth + 1)
      case S_IFREG where isScript(name) && status.st_size <= Self.largest:
        count += 1
        guard let data = FileManager.default.contents(atPath: path) else { continue }
        marks.read(String(decoding: data, as: UTF8.self))
      default: continue
      }
    }
  }

  private func isScript(_ name: String) -> Bool {
    name.split(separator: ".").last.map { Self.endings.contains(String($0).lowercased()) } ?? false
  }
}
