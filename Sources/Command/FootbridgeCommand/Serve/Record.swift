import ArgumentParser
import Essentials
import Footbridge
import class Foundation.FileHandle

/// `footbridge record`
struct Record: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "record",
    abstract: "Create a bridge of your own from the recorded messages of a real app.",
    discussion: """
      The transcript comes from the recorder (/__footbridge/recorder.js) in the debug build of the app, or is the journal of a session as \
      the control API has it. The section for footbridge.yaml goes to standard output.
      """)

  @Argument(help: ArgumentHelp("The transcript, or the journal; - reads standard input.", valueName: "file"))
  var file: String

  @Option(
    help: ArgumentHelp(
      "The name of the bridge: letters and digits. (default: app; of a journal with messages of one bridge only, that bridge)",
      valueName: "name"))
  var name: String?

  @Option(
    help: ArgumentHelp(
      "Write the answers into this file, a handler in Python, and not into the section. The file must not exist yet.",
      valueName: "file.py"))
  var handler: String?

  @Option(
    help: ArgumentHelp(
      "The name of a member to leave out, besides those that look like secrets. Can be repeated.", valueName: "name"))
  var secret: [String] = []

  func run() async throws {
    try await Terminal.run {
      guard name?.wholeMatch(of: Self.bridgeName) != nil || name == nil else {
        throw Failure.usage("--name must have letters and digits only, and begin with a letter.")
      }
      let shown = file == "-" ? "standard input" : file
      let content = try Self.content(file, shown)
      let bridge: RecordedBridge
      do {
        bridge = try recorded(content, shown)
      } catch let error as TranscriptError {
        throw Failure.data("\(shown):\(error.line): \(error.description)")
      }
      let section: String
      do throws(RecordedBridge.Misreading) {
        section = try bridge.yaml(handler: handler)
      } catch {
        throw Failure.software(error.description)
      }
      if let handler { try Self.write(bridge.pythonHandler, to: handler) }
      try Terminal.print(section.trimmed)
    }
  }

  /// The recorded bridge.
  private func recorded(_ content: [UInt8], _ shown: String) throws -> RecordedBridge {
    let transcript = try Transcript(content, bridge: name ?? Self.usualName, secrets: secret)
    guard transcript.hasEntries else { return RecordedBridge(name ?? Self.usualName, transcript) }
    let found = transcript.bridges.filter { $0.wholeMatch(of: Self.bridgeName) != nil }.sorted()
    if let name, found.contains(name) { return RecordedBridge(name, transcript) }
    guard let only = found.first else {
      throw Failure.data("\(shown) is a journal without messages of a bridge that footbridge.yaml declares.")
    }
    guard name == nil, found.count == 1 else {
      let problem =
        name.map { "\(shown) is a journal without messages of \($0)." }
        ?? "\(shown) is a journal: name the bridge with --name."
      throw Failure.usage("\(problem) It has messages of: \(found.joined(separator: ", ")).")
    }
    return RecordedBridge(only, try Transcript(content, bridge: only, secrets: secret))
  }

  private static let usualName = "app"
  private static var bridgeName: Regex<Substring> { /[a-zA-Z][a-zA-Z0-9]*/ }

  /// The largest transcript that is read, in bytes.
  static let longestTranscript = 64 << 20

  private static func content(_ file: String, _ shown: String) throws -> [UInt8] {
    if file != "-" { return Array(try InputFile.read(file, named: shown, limit: longestTranscript)) }
    let data = try FileHandle.standardInput.read(upToCount: longestTranscript + 1) ?? Data()
    guard data.count <= longestTranscript else {
      throw Failure.data("\(shown) is larger than \(longestTranscript) bytes.")
    }
    return Array(data)
  }

  private static func write(_ text: String, to path: String) throws {
    guard access(path, F_OK) != 0 else {
      throw Failure.usage("\(path) already exists. Name another file for --handler, or remove it.")
    }
    try OutputFile.write(Array(text.utf8), to: path)
  }
}

extension String {
  fileprivate var trimmed: String { hasSuffix("\n") ? String(dropLast()) : self }
}
