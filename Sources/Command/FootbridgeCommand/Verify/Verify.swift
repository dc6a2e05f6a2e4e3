import ArgumentParser
import BridgeRuntime
import Essentials
import Footbridge

/// `footbridge verify`
struct Verify: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "verify",
    abstract: "Play a recording again, and fail if native answers something else now.",
    discussion: """
      The transcript comes from the recorder (/__footbridge/recorder.js) in the debug build of the app, or is the journal of a session, or \
      an exported session with its transcript. What the page said in it goes to the bridge that footbridge.yaml declares, to its handler, or \
      to one of Footbridge's own bridges. Times, ids and tokens are compared by their form.

      The exit code is 0 if nothing differs, and 1 if something does. Other codes are those of sysexits.h.
      """)

  @Argument(help: ArgumentHelp("The transcript.", valueName: "transcript"))
  var file: String

  @Option(help: ArgumentHelp("The bridge, if more than one may be meant.", valueName: "name"))
  var bridge: String?

  @Option(
    help: ArgumentHelp(
      "A place in answers that is not compared, as a JSON pointer: /token, or login/token for messages of one name. Can be repeated.",
      valueName: "pointer"))
  var ignore: [String] = []

  @Option(
    help: ArgumentHelp("Write the result as JUnit's XML into this file; - is standard output.", valueName: "file"))
  var junit: String?

  @Option(help: ArgumentHelp("Write the result as JSON into this file; - is standard output.", valueName: "file"))
  var json: String?

  @Flag(help: "Write what is new into the transcript. The exit code is then 0.")
  var update = false

  @Option(help: ArgumentHelp("How long to wait for a step of native.", valueName: "seconds"))
  var timeout = 2.0

  @OptionGroup var options: ServeOptions

  func run() async throws {
    try await Terminal.run {
      let ignored = try ignore.map { text in
        guard let ignored = Verification.Ignored(text) else {
          throw Failure.usage("--ignore is \(text). It must be a JSON pointer, such as /token or login/token.")
        }
        return ignored
      }
      guard timeout > 0, timeout <= 600 else {
        throw Failure.usage("--timeout must be a number of seconds, at most 600.")
      }
      let text = Array(try InputFile.read(file, named: file, limit: Record.longestTranscript))
      let sources = try options.sources()
      var server = try options.optionsOfOneRun(sources)
      if sources[.present] == nil { server.present = .auto }
      let (bridge, transcript) = try prepare(text, server)
      let clock = ManualBridgeClock(now: SystemBridgeClock().now)
      var logger = try options.logger(sources)
      if sources[.logLevel] == nil { logger.logLevel = .warning }
      let running = try await FootbridgeServer.make(server, from: sources, logger, clock: clock)
      let played = try await play(transcript, to: bridge, running, clock)
      let verification = Verification(transcript, played: played, ignoring: ignored) { bridge.name(of: $0) }
      try conclude(VerificationReport(verification: verification, file: file, bridge: bridge.name), text)
    }
  }

  /// Reads the transcript, and chooses its bridge.
  private func prepare(_ text: [UInt8], _ options: FootbridgeOptions) throws -> (VerifiedBridge, Transcript) {
    let bridge: VerifiedBridge
    do {
      bridge = try VerifiedBridge(named: self.bridge, for: text, in: options.bridges)
    } catch {
      throw Failure.usage(error.description)
    }
    let transcript: Transcript
    do throws(TranscriptError) {
      transcript = try bridge.transcript(text)
    } catch {
      throw Failure.data("\(file):\(error.line): \(error.description)")
    }
    if let channel = bridge.unknownChannels(in: transcript).first {
      throw Failure.data(
        "\(file) has messages to \(channel), which is no message handler of the bridge \(bridge.name).")
    }
    guard !transcript.exchanges.isEmpty || transcript.documents.contains(where: { !$0.steps.isEmpty }) else {
      throw Failure.data("\(file) has nothing about the bridge \(bridge.name).")
    }
    if update, transcript.isJournal {
      throw Failure.usage("--update needs a transcript of the recorder. \(file) is a journal: make a new one.")
    }
    return (bridge, transcript)
  }

  /// Plays the transcript, and stops the server.
  @BridgeActor
  private func play(
    _ transcript: Transcript, to bridge: VerifiedBridge, _ server: FootbridgeServer, _ clock: ManualBridgeClock
  ) async throws -> Transcript {
    do {
      let session = InProcessSession(of: server, name: "verify")
      let player = TranscriptPlayer(transcript, to: bridge, in: session, clock: clock, timeout: .seconds(timeout))
      let played = try await player.play()
      await server.stop()
      return played
    } catch {
      await server.stop()
      throw error
    }
  }

  private func conclude(_ report: VerificationReport, _ text: [UInt8]) throws {
    if let junit { try Self.write(report.junit, to: junit) }
    if let json { try Self.write(report.json.jsonText, to: json) }
    if junit != "-", json != "-" { try Terminal.print(report.text) }
    if report.verification.differences.isEmpty { return }
    guard update else { throw ExitCode(1) }
    try OutputFile.write(report.verification.updated(text), to: file, options: .atomic)
  }

  private static func write(_ text: String, to path: String) throws {
    if path == "-" { return try Terminal.print(text) }
    try OutputFile.write(Array((text + "\n").utf8), to: path, options: .atomic)
  }
}
