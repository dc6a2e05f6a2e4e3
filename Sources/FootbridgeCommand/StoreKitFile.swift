import Footbridge
import OnsideKit

/// A `.storekit` file that a flag names.
enum StoreKitFile {
  /// Reads the file. An error names the file (as `name`), the place in it, and what was expected.
  static func read(_ path: String, named name: String? = nil) throws -> StoreKitConfiguration {
    let name = name ?? path
    let data = try InputFile.read(path, named: name)
    do throws(StoreKitConfigurationError) {
      return try StoreKitConfiguration(data: data)
    } catch {
      throw Failure.data("\(name): \(error)")
    }
  }
}
