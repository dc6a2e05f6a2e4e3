import ArgumentParser
import Footbridge
import Sessions
import SiteServer

/// `footbridge trust`
struct Trust: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "trust",
    abstract: "Print how to trust the certificate of a server with the same options (--tls-port)."
  )

  @Flag(help: "Print only the hash for Chromium's --ignore-certificate-errors-spki-list.")
  var spki = false

  @OptionGroup var options: ServeOptions

  func run() async throws {
    try await Terminal.run {
      let sources = try options.sources()
      do {
        let instructions = try TrustInstructions(options: try options.options(sources))
        try Terminal.print(spki ? instructions.publicKeyHash : instructions.text)
      } catch let error as FootbridgeError {
        throw Failure(error, sources)
      } catch let error as SiteError {
        throw Failure(error, sources)
      } catch let error as StateError {
        throw Failure(error, sources)
      }
    }
  }
}
