import Essentials
import Footbridge
import Testing

@testable import FootbridgeCommand

/// `footbridge serve` in this process, up to the point at which it would listen, in a folder of its own.
struct Trial: ~Copyable {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path

  /// Writes files into the folder.
  init(files: [String: String] = [:]) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, text) in files { try Data(text.utf8).write(to: URL(fileURLWithPath: path(name))) }
  }

  deinit { try? FileManager.default.removeItem(atPath: folder) }

  /// The path of a file in the folder.
  func path(_ name: String) -> String { "\(folder)/\(name)" }

  private static let withoutFlags = Result { try ServeOptions.parse([]) }

  /// The failure with which the command ends; nil if it would listen. Does not parse the arguments as the command does, which would take most
  /// of the time of these tests: a flag without a value is switched on.
  func failure(_ arguments: [String], environment: [String: String] = [:]) async throws -> Failure? {
    var flags: [ServerOption: String] = [:]
    for (index, argument) in arguments.enumerated() where argument.hasPrefix("--") {
      let parts = argument.split(separator: "=", maxSplits: 1).map(String.init)
      let next = arguments[(index + 1)...].first.flatMap { $0.hasPrefix("--") ? nil : $0 }
      flags[try #require(ServerOption.all.first { $0.flag == parts[0] })] =
        parts.dropFirst().first ?? next ?? "true"
    }
    let serve = try Self.withoutFlags.get()
    do {
      let sources = try ServeOptions.sources(flags: flags, environment: environment)
      let options = try serve.options(sources)
      _ = try await FootbridgeServer.make(options, from: sources, try serve.logger(sources))
      return nil
    } catch let failure as Failure {
      return failure
    }
  }

  /// The failure with this text as footbridge.yaml.
  static func failure(ofFile text: String, files: [String: String] = [:]) async throws -> Failure? {
    let trial = try Trial(files: files.merging(["footbridge.yaml": text]) { $1 })
    return try await trial.failure(["--ephemeral", "--config", trial.path("footbridge.yaml")])
  }
}
