import ArgumentParser
import BridgeCore
import DeclaredServer
import Essentials
import Footbridge

/// `footbridge bridges`
struct Bridges: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "bridges",
    abstract: "List the presets for bridges of other hosts, or print what one of them knows."
  )

  @Argument(help: "A preset, such as capacitor. Without it, all are listed.")
  var name: String?

  func run() async throws {
    try await Terminal.run {
      let presets = DeclaredPreset.all
      guard let name else {
        let rows = presets.flatMap { [[$0.name, $0.host], ["", "Not played: \($0.notPlayed)"]] }
        let table = TextTable(["PRESET", "HOST"], rows, width: Terminal.width)
        return try Terminal.print(table.lines.joined(separator: "\n"))
      }
      guard let preset = presets.first(where: { $0.name == name }) else {
        let meant = Spelling.suggestion(for: name, in: presets.map(\.name))
        throw Failure(message: "There is no preset \(name).\(meant) footbridge bridges lists all.", code: EX_USAGE)
      }
      try Terminal.print(
        """
        \(preset.name): \(preset.host)

        As the vendor's: \(preset.plays).
        Not played: \(preset.notPlayed).
        Compared with: \(preset.source).
        Ran unchanged: \(preset.ran ?? "no script of the vendor").

        bridges:
          app:
            preset: \(preset.name)
        """)
    }
  }
}
