/// A site inside the executable: the demo.
struct EmbeddedSite: Site {
  /// The folder below `web/`.
  let folder: String

  nonisolated(nonsending) func lookUp(_ path: String, isNavigation: Bool) async -> SiteLookup {
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    if let file = EmbeddedFile.all["\(folder)/\(name)"] { return .file(file) }
    return .notFound("There is no file \(path) in the demo. Serve your own site with --root.")
  }
}
