import Essentials
package import WebServer

/// The developer's site: all paths except Footbridge's own.
package protocol Site: Sendable {
  /// Looks up the path of a request, still escaped. `isNavigation` tells whether the result becomes the document of a tab or frame.
  nonisolated(nonsending) func lookUp(_ path: String, isNavigation: Bool) async -> SiteLookup
}

/// The result of a lookup.
package enum SiteLookup {
  /// A file.
  case file(any FileContent)
  /// The file is at this address.
  case redirect(String)
  /// There is no file. The text names what was searched for.
  case notFound(String)
  /// The system failed, though the file may be there.
  case failed(FileError)

  /// Whether there is no file.
  package var isNotFound: Bool {
    if case .notFound = self { true } else { false }
  }
}

/// A site in a folder (`--root`).
package struct FolderSite: Site {
  /// The folder.
  let root: StaticRoot
  /// Whether a browser that opens a path without a file gets the root's `index.html` (`--spa`).
  let isSinglePage: Bool

  package init(
    root: StaticRoot, isSinglePage: Bool
  ) {
    self.root = root
    self.isSinglePage = isSinglePage
  }

  package nonisolated(nonsending) func lookUp(_ path: String, isNavigation: Bool) async -> SiteLookup {
    let found = await lookUp(path)
    if isSinglePage, isNavigation, case .notFound = found { return await lookUp("/") }
    return found
  }

  nonisolated(nonsending) private func lookUp(_ path: String) async -> SiteLookup {
    do throws(FileError) {
      switch try await root.lookUp(path) {
      case .file(let file): return .file(file)
      // Two slashes at the beginning would name another host (RFC 3986, section 4.2).
      case .folderWithoutSlash: return .redirect("/" + path.drop { $0 == "/" } + "/")
      case .notFound(let reason): return .notFound(reason)
      }
    } catch {
      return .failed(error)
    }
  }
}

/// A site inside the executable: the demo.
package struct EmbeddedSite: Site {
  /// The folder below `web/`.
  let folder: String

  package init(
    folder: String
  ) {
    self.folder = folder
  }

  package nonisolated(nonsending) func lookUp(_ path: String, isNavigation: Bool) async -> SiteLookup {
    let name = path == "/" ? "index.html" : String(path.dropFirst())
    if let file = EmbeddedFile.all["\(folder)/\(name)"] { return .file(file) }
    return .notFound("There is no file \(path) in the demo. Serve your own site with --root.")
  }
}
