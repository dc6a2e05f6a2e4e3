import Essentials
public import OnsideKit

/// The demo, which the server shows when there is no site.
public enum Demo {
  /// The demo's products.
  ///
  /// - Throws: ``FootbridgeError/incompleteBuild`` if the program was built without them.
  public static func storeKitConfiguration() throws -> StoreKitConfiguration {
    guard let file = EmbeddedFile.all["demo/demo.storekit"] else { throw FootbridgeError.incompleteBuild }
    return try StoreKitConfiguration(data: Data(file.bytes))
  }
}
