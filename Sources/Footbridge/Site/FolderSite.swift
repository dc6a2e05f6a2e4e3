import WebServer

/// A site in a folder (`--root`).
struct FolderSite: Site {
  let root: StaticRoot

  func lookUp(_ path: String) async -> SiteLookup {
    do {
      switch try await root.lookUp(path) {
      case .file(let file): return .file(file)
      case .folderWithoutSlash: return .redirect(path + "/")
      case .notFound(let reason): return .notFound(reason)
      }
    } catch {
      return .notFound("\(path) could not be read.")
    }
  }
}
