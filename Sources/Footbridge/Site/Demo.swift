import Essentials
public import OnsideKit

/// The demo, which the server shows when there is no site.
public enum Demo {
  /// The demo's products.
  public static func storeKitConfiguration() throws -> StoreKitConfiguration {
    guard let file = EmbeddedFile.all["demo/demo.storekit"] else { throw FootbridgeError.incompleteBuild }
    return try StoreKitConfiguration(data: Data(file.bytes))
  }
}

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
