/// The files of a script of ours, in an order in which each comes after those that it imports.
struct ModuleOrder {
  /// The paths below `web/`.
  private(set) var paths: [String] = []
  /// Files that import each other, from one to itself. A joined script cannot have such files: there are none, as a test checks.
  private(set) var circles: [[String]] = []
  /// Imports of files that do not exist, as `importing file -> file`. There are none, either.
  private(set) var missing: [String] = []
  private var codes: [String: [UInt8]] = [:]

  /// Orders these files and all that they import. Otherwise they stay in the given order.
  init(of roots: [String], in files: [String: EmbeddedFile] = EmbeddedFile.all) {
    for root in roots { add(root, from: [], files) }
  }

  /// The code of all files in one scope.
  var source: [UInt8] { Array(paths.compactMap { codes[$0] }.joined()) }

  private mutating func add(_ path: String, from importing: [String], _ files: [String: EmbeddedFile]) {
    if let start = importing.firstIndex(of: path) { return circles.append(importing[start...] + [path]) }
    if codes[path] != nil { return }
    guard let file = files[path] else { return missing.append("\(importing.last ?? "") -> \(path)") }
    let module = ScriptModule(file.bytes, path: path)
    for each in module.imports { add(each, from: importing + [path], files) }
    paths.append(path)
    codes[path] = module.code
  }
}
