import ArgumentParser
import Essentials
import Footbridge
import Logging
import ServiceLifecycle
import SiteServer

/// `footbridge show`: a transcript, in the dashboard.
struct Show: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "show",
    abstract: "Show a transcript of a session in the dashboard.",
    discussion: """
      The transcript is a file of JSON Lines, as the test kits write it for a failed test, or as the control API returns it. The command prints \
      the address of a dashboard that shows it, and runs until it is stopped. With --html it writes that dashboard to a file instead, which \
      needs no server: for the artifacts of a CI run.
      """)

  @Argument(help: ArgumentHelp("The transcript.", valueName: "file.jsonl"), completion: .file())
  var file: String

  @Option(
    help: ArgumentHelp("Write one HTML file that shows the transcript without a server.", valueName: "out"),
    completion: .file(extensions: ["html"]))
  var html: String?

  private static let longest = 64 << 20

  func run() async throws {
    try await Terminal.run {
      let bytes = try InputFile.read(file, named: file, limit: Self.longest)
      guard Transcript.hasEntries(Array(bytes)) else {
        throw Failure.data("\(file) has no entries of a journal. A transcript is JSON Lines, one entry on each line.")
      }
      if let html {
        let name = file.split(separator: "/").last.map(String.init) ?? file
        return try OutputFile.write(Array(TranscriptPage.html(showing: Array(bytes), named: name).utf8), to: html)
      }
      var options = FootbridgeOptions()
      options.port = 0
      options.dashboardPort = 0
      options.state = nil
      options.transcript = Array(bytes)
      let server = try await FootbridgeServer.make(
        options, from: OptionSources(flags: [:], environment: [:]),
        Logger(label: "footbridge") { _ in SwiftLogNoOpLogHandler() })
      await server.announceDashboardWhenListening()
      try await ServiceGroup(
        services: [server], gracefulShutdownSignals: [.sigint, .sigterm],
        logger: Logger(label: "footbridge.lifecycle") { _ in SwiftLogNoOpLogHandler() }
      ).run()
    }
  }
}

extension FootbridgeServer {
  /// Makes the server print the address of its dashboard as soon as it listens.
  fileprivate func announceDashboardWhenListening() {
    onListening = { [unowned self] addresses in
      guard let dashboard = newDashboardAddress() else { return }
      Terminal.announce(["footbridge: dashboard \(dashboard)"], of: addresses.plain)
    }
  }
}
