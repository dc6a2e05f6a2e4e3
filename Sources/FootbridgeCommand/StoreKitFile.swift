import Footbridge
import Onside

/// A `.storekit` file that a flag names.
enum StoreKitFile {
  /// Reads the file; a failure names the file, the place in it, and what was expected.
  static func read(_ path: String) throws -> StoreKitConfiguration {
    let data = try InputFile.read(path)
    do throws(StoreKitConfigurationError) {
      return try StoreKitConfiguration(data: data)
    } catch {
      throw Failure.data("\(path): \(error)")
    }
  }
}
