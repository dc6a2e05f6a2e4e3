/// The files of a script of ours, in an order in which each comes after those that it imports.
struct ModuleOrder {
  /// The paths below `web/`.
  private(set) var paths: [String] = []
  /// Files that import each other, from one to itself. A joined script cannot have such files: there are none, as a test checks.
  private(set) var circles: [[String]] = []
  /// Imports of files that do not exist, as `importing file -> file`. There are none, either.
  private(set) var missing: [String] = []
  private var modules: [String: ScriptModule] = [:]

  /// Orders these files and all that they import. Otherwise they stay in the given order.
  init(of roots: [String], in files: [String: EmbeddedFile] = EmbeddedFile.all) {
    for root in roots { add(root, from: [], files) }
  }

  /// The code of all files in one scope.
  var source: [UInt8] { Array(paths.compactMap { modules[$0]?.code }.joined()) }

  /// The code of all files, each in a scope of its own. What files export has names that no two of them share.
  var scopedSource: String {
    paths.compactMap { modules[$0] }.map { module in
      let code = String(decoding: module.code, as: UTF8.self)
      let names = module.exports.joined(separator: ", ")
      return names.isEmpty
        ? "(() => {\n\(code)})();\n" : "const { \(names) } = (() => {\n\(code)return { \(names) };\n})();\n"
    }.joined()
  }

  /// The names that files export, in order.
  var exports: [String] { paths.flatMap { modules[$0]?.exports ?? [] } }

  private mutating func add(_ path: String, from importing: [String], _ files: [String: EmbeddedFile]) {
    if let start = importing.firstIndex(of: path) { return circles.append(importing[start...] + [path]) }
    if modules[path] != nil { return }
    guard let file = files[path] else { return missing.append("\(importing.last ?? "") -> \(path)") }
    let module = ScriptModule(file.bytes, path: path)
    for each in module.imports { add(each, from: importing + [path], files) }
    paths.append(path)
    modules[path] = module
  }
}
