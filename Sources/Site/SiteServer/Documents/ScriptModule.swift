/// A file of `web/` that is written as a JavaScript module, without what makes it one: it is joined with others into one function, where all
/// names are visible.
///
/// It does not parse JavaScript. An import begins a line, ends a line, and has no `as`; `export` begins a declaration at the beginning of a
/// line. Tests check our files for this.
struct ScriptModule {
  /// The paths below `web/` of the files that it imports, in order.
  let imports: [String]
  /// The names that it exports, in order.
  let exports: [String]
  /// The code without imports and without the word `export`.
  let code: [UInt8]

  /// Reads a file. `path` is its path below `web/`.
  init(_ bytes: [UInt8], path: String) {
    var imports: [String] = []
    var exports: [String] = []
    var code: [UInt8] = []
    code.reserveCapacity(bytes.count)
    var isInImport = false
    for line in bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false) {
      isInImport = isInImport || line.starts(with: "import ".utf8)
      if !isInImport {
        let isExport = line.starts(with: "export ".utf8)
        if isExport { exports += Self.name(declaredBy: String(decoding: line, as: UTF8.self)) }
        code += isExport ? line.dropFirst("export ".utf8.count) : line
        code.append(UInt8(ascii: "\n"))
      } else if line.last == UInt8(ascii: ";") {
        isInImport = false
        imports.append(Self.path(of: String(decoding: line, as: UTF8.self), from: path))
      }
    }
    self.imports = imports
    self.exports = exports
    self.code = code
  }

  /// The name that a line beginning with `export` declares, as an array; empty for a line that declares none.
  private static func name(declaredBy line: String) -> [String] {
    let words = line.split { !($0.isLetter || $0.isNumber || $0 == "_" || $0 == "$") }.dropFirst()
    let name = words.first { !["async", "function", "class", "const", "let"].contains($0) }
    return name.map { [String($0)] } ?? []
  }

  /// The path below `web/` of the file that the last line of an import names. `path` is that of the importing file.
  private static func path(of line: String, from path: String) -> String {
    let name = line.split(separator: "\"").dropLast().last ?? ""
    var folders = path.split(separator: "/").dropLast()
    for part in name.split(separator: "/") where part != "." {
      if part == ".." { _ = folders.popLast() } else { folders.append(part) }
    }
    return folders.joined(separator: "/")
  }
}
