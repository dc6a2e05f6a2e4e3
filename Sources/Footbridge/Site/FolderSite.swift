import WebServer

/// A site in a folder (`--root`).
struct FolderSite: Site {
  /// The folder.
  let root: StaticRoot
  /// Whether a browser that opens a path without a file gets the root's `index.html` (`--spa`).
  let isSinglePage: Bool

  nonisolated(nonsending) func lookUp(_ path: String, isNavigation: Bool) async -> SiteLookup {
    let found = await lookUp(path)
    if isSinglePage, isNavigation, case .notFound = found { return await lookUp("/") }
    return found
  }

  nonisolated(nonsending) private func lookUp(_ path: String) async -> SiteLookup {
    do {
      switch try await root.lookUp(path) {
      case .file(let file): return .file(file)
      // Two slashes at the beginning would name another host (RFC 3986, section 4.2).
      case .folderWithoutSlash: return .redirect("/" + path.drop { $0 == "/" } + "/")
      case .notFound(let reason): return .notFound(reason)
      }
    } catch {
      return .notFound("\(path) could not be read.")
    }
  }
}
