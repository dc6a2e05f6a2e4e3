import Cluster
import Essentials
package import Sessions

/// Where the state is between runs of the server.
public struct StoreOptions: Sendable {
  /// The folder of the project: the folder of `footbridge.yaml`, else the root, else the working directory.
  public var project = FileManager.default.currentDirectoryPath
  /// The folder for the state that outlives the server. By default, the folder of the project in the working directory. Nil keeps nothing
  /// (`--ephemeral`). The address of a PostgreSQL database (`postgresql://…`) keeps it there, and needs ``stateKey``.
  public var state: String? = StateDirectory.defaultPath(ofProject: FileManager.default.currentDirectoryPath)
  /// The file with the key, 32 bytes, that seals the secrets in the database of ``state``.
  public var stateKey: String?

  init() {}
}

extension ServerOption {
  package static let state = ServerOption(
    "state", .text, "dir|url",
    help:
      "Where to keep the state between runs: a folder, or postgresql://user@host/database. (default: a folder for this project in the XDG state directory)"
  )
  package static let stateKey = ServerOption(
    "stateKey", .pathOfInput, "file",
    help: "The file with the key that seals the secrets in a PostgreSQL database (--state).")
  package static let ephemeral = ServerOption("ephemeral", .flag, help: "Keep no state.")
}

/// How the options are read.
extension StoreOptions {
  static let options: [ServerOption] = [.state, .stateKey, .ephemeral]

  /// - Parameter project: The folder of the project; nil for the working directory.
  init(_ values: OptionValues, project: String?) throws(OptionError) {
    if let project { self.project = project }
    state = try Self.state(values, default: StateDirectory.defaultPath(ofProject: self.project))
    stateKey = values[.stateKey]?.value
  }

  /// A key that seals nothing. As a variable, it may be meant for another server.
  static func remarks(_ values: OptionValues) -> [String] {
    guard let (_, source) = values[.stateKey], values.kind(of: .stateKey) != .variable else { return [] }
    if PostgreSQLAddress.isOne(values[.state]?.value ?? "") { return [] }
    return ["\(source) has no effect: only a database in \(ServerOption.state.flag) has a key."]
  }

  /// The place of the state, or nil to keep nothing, from the first source with `--state` or `--ephemeral`.
  private static func state(_ values: OptionValues, default standard: String) throws(OptionError) -> String? {
    let state = values[.state]
    guard try values.isSet(.ephemeral), let ephemeral = values[.ephemeral], let kind = values.kind(of: .ephemeral)
    else { return state?.value ?? standard }
    guard let state, let stateKind = values.kind(of: .state), stateKind <= kind else { return nil }
    guard stateKind < kind else {
      throw OptionError(
        "\(ephemeral.source) and \(state.source) are mutually exclusive: keep the state in a folder, or keep nothing. Use one of them."
      )
    }
    return state.value
  }
}
