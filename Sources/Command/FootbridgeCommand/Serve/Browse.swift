import ArgumentParser
import Essentials
import Footbridge
import UnixSignals

/// `footbridge browse`: a server for as long as a browser with a fresh profile is open.
struct Browse: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "browse",
    abstract: "Open Chromium with a fresh profile and a server beside it, and exit with the browser's exit code.",
    usage: "footbridge browse [<options>] [<url>] [-- <browser's flags> ...]",
    discussion: """
      With --site, the browser uses the server as its proxy and takes the certificates of the sites. Without a URL it opens the first site, or \
      the server's own address. Its profile is deleted in the end. The port is a free one and nothing is kept, unless an option says otherwise.

      The browser is the one that FOOTBRIDGE_BROWSER names, or the first of \
      chromium, chromium-browser, google-chrome, google-chrome-stable and microsoft-edge that is on the search path.
      """
  )

  @OptionGroup var options: ServeOptions

  @Argument(help: ArgumentHelp("The page to open.", valueName: "url"))
  var url: String?

  @Argument(
    parsing: .postTerminator,
    help: ArgumentHelp("Flags for the browser, after two dashes.", valueName: "browser's flags"))
  var flags: [String] = []

  func run() async throws {
    try await Terminal.run {
      let browser = try Browser.find()
      // From here on, signals do not end the server while its browser is open.
      let signals = await UnixSignalsSequence(trapping: .sighup, .sigint, .sigquit, .sigterm)
      let sources = try options.sources()
      let logger = try options.logger(sources)
      let serverOptions = try options.optionsOfOneRun(sources)
      let server = try await FootbridgeServer.make(serverOptions, from: sources, logger)
      let record = ServerRecord.Writer()
      await server.announceWhenListening(recordedBy: record)
      let addresses = try await server.start()
      let profile = try Browser.makeProfile()
      let code = await CommandProcess.run(
        [browser] + Browser.flags(profile: profile) + addresses.windowFlags + flags
          + [url ?? serverOptions.firstSite ?? addresses.plain],
        passingOn: signals)
      await record.end()
      try? FileManager.default.removeItem(atPath: profile)
      await server.stop()
      throw ExitCode(code)
    }
  }
}

/// The browser that `footbridge browse` opens.
enum Browser {
  /// The variable that names it.
  static let variable = "FOOTBRIDGE_BROWSER"

  private static let names = [
    "chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "microsoft-edge",
  ]
  private static let applications = [
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  ]

  /// The path of the browser, or its name. Throws ``Failure`` if there is none.
  static func find(_ environment: [String: String] = ProcessInfo.processInfo.environment) throws -> String {
    if let named = environment[variable], !named.isEmpty { return named }
    let folders = (environment["PATH"] ?? "").split(separator: ":")
    let candidates = names.flatMap { name in folders.map { "\($0)/\(name)" } } + applications
    guard let found = candidates.first(where: { access($0, X_OK) == 0 }) else {
      throw Failure.unavailable("No Chromium is on the search path. Install it, or name it with \(variable).")
    }
    return found
  }

  /// Makes an empty folder for the browser's profile.
  static func makeProfile() throws -> String {
    var template = Array((FileManager.default.temporaryDirectory.path + "/footbridge-browser-XXXXXX").utf8CString)
    guard let path = mkdtemp(&template) else {
      throw Failure.unavailable("No folder for the browser's profile can be made: \(String(cString: strerror(errno))).")
    }
    return String(cString: path)
  }

  /// The flags of a browser with a fresh profile.
  static func flags(profile: String) -> [String] {
    let usual = ["--user-data-dir=\(profile)", "--no-first-run", "--no-default-browser-check"]
    #if os(Linux)
      // Chromium's sandbox does not work for the superuser.
      return geteuid() == 0 ? usual + ["--no-sandbox"] : usual
    #else
      return usual
    #endif
  }
}
