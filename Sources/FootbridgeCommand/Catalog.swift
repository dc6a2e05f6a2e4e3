import ArgumentParser
import Footbridge
import OnsideKit

/// `footbridge catalog`
struct Catalog: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "catalog",
    abstract: "Check a StoreKit configuration file and print its products.")

  @Argument(help: ArgumentHelp("The file.", valueName: "file.storekit"))
  var file: String

  func run() async throws {
    try await Terminal.run {
      let configuration = try StoreKitFile.read(file)
      for line in CatalogueTable(configuration).lines { try Terminal.print(line) }
    }
  }
}
