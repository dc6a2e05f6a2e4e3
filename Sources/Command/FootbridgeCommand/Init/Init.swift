import ArgumentParser
import BridgeCore
import BridgeRuntime
import Essentials
import SiteServer

/// `footbridge init`
struct Init: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "init",
    abstract: "Find the bridges that a page uses, write footbridge.yaml and a first test, and serve the site.",
    discussion: """
      It reads the documents and scripts of the site. If they do not say which bridges they use, it asks in a terminal. No file is \
      overwritten.
      """)

  @Option(
    help: ArgumentHelp(
      "The folder of the site. (default: the first of site, public, www, dist and . that has an index.html)",
      valueName: "dir"))
  var root: String?

  @Option(help: ArgumentHelp("The development server of the site, in place of a folder.", valueName: "url"))
  var proxy: String?

  @Option(
    help: ArgumentHelp(
      "A bridge of the page: onside, gbg, today, a preset such as capacitor, or the name of a message handler. Can be repeated.",
      valueName: "name"))
  var bridge: [String] = []

  @Option(help: "The test to write. (default: javascript where there is a package.json, else python)")
  var tests: Tests?

  @Flag(help: "Write only what a coding agent should know, into AGENTS.md.")
  var agents = false

  @Flag(inversion: .prefixedNo, help: "Serve the site in the end.")
  var start = true

  enum Tests: String, CaseIterable, ExpressibleByArgument {
    case python, javascript, none
  }

  private static let configurationFile = "footbridge.yaml"

  func run() async throws {
    try await Terminal.run {
      if agents { return try writeAgentInstructions() }
      guard !exists(Self.configurationFile) else {
        throw Failure.usage(
          "\(Self.configurationFile) is already here. Start the server with: footbridge serve --config \(Self.configurationFile)"
        )
      }
      let site = try chosenSite()
      let project = NewProject(site: site, catalog: catalog, marks: try marks(of: site))
      try write(project.configuration, to: Self.configurationFile)
      try writeTests()
      try Terminal.print(
        "\(start ? "Start it again" : "Start it") with: footbridge serve --config \(Self.configurationFile)")
      guard start else { return }
      try await Serve.parse(["--config", Self.configurationFile]).run()
    }
  }

  private func chosenSite() throws -> NewProject.Site {
    switch (root, proxy) {
    case (_?, _?): throw Failure.usage("--root and --proxy exclude each other.")
    case (_, let proxy?): return .server(proxy)
    case (let root?, _):
      guard exists(root) else { throw Failure.noInput("--root: there is no folder \(root).") }
      return .folder(root)
    case (nil, nil):
      let found = ["site", "public", "www", "dist", "."].first { exists("\($0)/index.html") }
      guard let found else {
        throw Failure.usage(
          "There is no index.html here, nor in site, public, www or dist. Name the folder with --root, or the development server with --proxy."
        )
      }
      return .folder(found)
    }
  }

  /// The bridges that flags name, that the scripts use, or that a person names.
  private func marks(of site: NewProject.Site) throws -> BridgeMarks {
    guard bridge.isEmpty else { return try named(bridge) }
    let folder = if case .folder(let folder) = site { folder } else { "." }
    let read = SiteReader(folder).marks
    if !read.isEmpty {
      try Terminal.print("The page uses: \((read.bridges + read.channels).joined(separator: ", ")).")
      return read
    }
    guard isatty(STDIN_FILENO) == 1 else {
      throw Failure.usage(
        "No bridge was found in \(folder), and nothing was written. Name those of the page with --bridge: "
          + "\(Self.known.joined(separator: ", ")), or the name of a message handler.")
    }
    try Terminal.print(
      "Which bridges does the page use? \(Self.known.joined(separator: ", ")), or the name of a message handler:")
    return try named((readLine() ?? "").split { " ,".contains($0) }.map(String.init))
  }

  private func named(_ names: [String]) throws -> BridgeMarks {
    if let wrong = names.first(where: { $0.wholeMatch(of: /[A-Za-z_$][A-Za-z0-9_$\-]{0,63}/) == nil }) {
      throw Failure.usage(
        "\(wrong) is no name of a bridge. There are: \(Self.known.joined(separator: ", ")), and the names of message handlers."
      )
    }
    let marks = BridgeMarks(named: names, presets: Self.presets)
    for channel in marks.channels {
      let meant = Spelling.suggestion(for: channel, in: Self.known)
      if !meant.isEmpty { try Terminal.print("\(channel) is declared as a message handler.\(meant)") }
    }
    return marks
  }

  private static let presetFolder = "bridges/declared/presets/"
  private static let presets = EmbeddedFile.all.keys.filter { $0.hasPrefix(presetFolder) }
    .map { String($0.dropFirst(presetFolder.count).dropLast(".js".count)) }.sorted()
  private static let known = ["onside", "gbg", "today"] + presets

  private var catalog: String? {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: ".")) ?? []
    return names.filter { $0.hasSuffix(".storekit") && !$0.hasPrefix(".") }.sorted().first
  }

  private func writeTests() throws {
    switch tests ?? (exists("package.json") ? .javascript : .python) {
    case .none: return
    case .javascript: try writeUnlessThere(NewProject.javascriptTest, to: "footbridge.spec.mjs")
    case .python:
      try writeUnlessThere(NewProject.pythonTest, to: "test_footbridge.py")
      try writeUnlessThere(NewProject.pytestSettings, to: "pytest.ini")
    }
  }

  private func writeAgentInstructions() throws {
    let file = "AGENTS.md"
    let there = exists(file) ? String(decoding: try InputFile.read(file, named: file), as: UTF8.self) : ""
    guard !there.contains("## Footbridge\n") else {
      return try Terminal.print("\(file) has a section Footbridge already. Nothing was changed.")
    }
    try write(there + (there.isEmpty ? "" : "\n") + NewProject.agentInstructions, to: file)
  }

  private func writeUnlessThere(_ text: String, to file: String) throws {
    guard !exists(file) else { return try Terminal.print("\(file) is already here. Nothing was changed in it.") }
    try write(text, to: file)
  }

  private func write(_ text: String, to file: String) throws {
    try OutputFile.write(Array(text.utf8), to: file)
    try Terminal.print("Wrote \(file).")
  }

  private func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }
}
