import ArgumentParser
import Essentials
import Footbridge
import UnixSignals

/// `footbridge browse`: a server for as long as a browser with a fresh profile is open.
struct Browse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Open a browser with a fresh profile and a server beside it, and exit with the browser's exit code.",
    usage: "footbridge browse [<options>] [<url>] [-- <browser's flags> ...]",
    discussion: """
      With --site, the browser uses the server as its proxy and takes the certificates of the sites. Without a URL it opens the first site, or \
      the server's own address. Its profile is deleted in the end. The port is a free one and nothing is kept, unless an option says otherwise.

      Without --browser, it is the browser that FOOTBRIDGE_BROWSER names, or the first that is installed of Chromium (also Chrome and Edge), \
      Firefox and WebKit (WebKitGTK's MiniBrowser).
      """
  )

  @Option(help: ArgumentHelp("The browser: chromium, firefox or webkit.", valueName: "name"))
  var browser: Browser?

  @OptionGroup var options: ServeOptions

  @Argument(help: ArgumentHelp("The page to open.", valueName: "url"))
  var url: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Flags for the browser, after two dashes.", valueName: "browser's flags"))
  var flags: [String] = []

  func run() async throws {
    try await Terminal.run {
      let (browser, program) = try Browser.installed(browser)
      // From here on, signals do not end the server while its browser is open.
      let signals = await UnixSignalsSequence(trapping: .sighup, .sigint, .sigquit, .sigterm)
      let sources = try options.sources()
      let logger = try options.logger(sources)
      let serverOptions = try options.optionsOfOneRun(sources)
      let server = try await FootbridgeServer.make(serverOptions, from: sources, logger)
      let record = ServerRecord.Writer()
      await server.announceWhenListening(recordedBy: record)
      let addresses = try await server.start()
      let code: Int32
      do {
        let profile = try BrowserProfile()
        defer { profile.remove() }
        let prepared = try await browser.arguments(profile, addresses.ownOrigin, logger)
        let page = url ?? serverOptions.firstSite ?? addresses.plain
        code = await CommandProcess.run(
          [program] + prepared.flags + flags + [page], environment: prepared.environment, passingOn: signals)
      } catch {
        await record.end()
        await server.stop()
        throw error
      }
      await record.end()
      await server.stop()
      throw ExitCode(code)
    }
  }
}
