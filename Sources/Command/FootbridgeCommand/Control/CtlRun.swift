import BridgeCore
import BridgeRuntime
import ControlClient
import Essentials

/// Runs one command of `footbridge ctl`.
struct CtlRun {
  let table: OperationTable
  let connection: ControlConnection
  /// The session that `--session` names.
  let session: String?
  let output: CtlOutput
  /// Whether `--follow` was given.
  let follows: Bool
  /// Whether to show an address as a QR code; nil shows it if that is possible.
  let showsQRCode: Bool?

  func callAsFunction(_ command: CommandArguments) async throws {
    var command = command
    if follows || command.operation.kind == .events { return try await follow(command) }
    guard command.operation.kind != .webSocket else { return try await handle(command) }
    try await fill(&command)
    if let problem = command.call.problem { throw problem }
    let hasAddress = command.operation.id == "enterSession"
    if showsQRCode == true, !hasAddress {
      throw Failure.usage("Only the address of a session is shown as a QR code: footbridge ctl session enter --qr.")
    }
    let answer = try await connection.send(command.call)
    try output.print(answer, of: command.operation)
    if hasAddress, showsQRCode ?? output.isForPerson, let address = answer?["url"]?.stringValue {
      try await showQRCode(of: address)
    }
  }

  private func showQRCode(of address: String) async throws {
    guard try await !QRCode(address: address).print() else { return }
    // Without --qr, a missing QR code is only a remark.
    guard showsQRCode == nil else { throw Failure(message: QRCode.advice, code: EX_UNAVAILABLE) }
    Terminal.printError(QRCode.advice)
  }

  /// Finds the names that the command leaves out.
  private func fill(_ command: inout CommandArguments) async throws {
    let names = Names(table: table, connection: connection)
    for parameter in command.operation.parameters where parameter.place == .path {
      if parameter.name == ControlOperation.session, let name = command.parameters[parameter.name] ?? session {
        command.fill(parameter.name, with: try await names.session(name, for: command.operation))
      } else if command.parameters[parameter.name] == nil {
        let found = try await names.only(parameter.name, of: command.operation, command.parameters)
        command.fill(parameter.name, with: found)
      }
    }
    guard command.operation.needsSessionInBody else { return }
    if let name = command.sessionInBody ?? session {
      command.fill(sessionInBody: try await names.session(name, for: command.operation))
    } else {
      command.fill(sessionInBody: try await names.only(ControlOperation.session, of: command.operation, [:]))
    }
  }

  // MARK: Streams

  /// Follows the journals of a session, or of all.
  private func follow(_ command: CommandArguments) async throws {
    guard command.operation.kind == .events || command.operation.id == "getJournal",
      let stream = table.all.first(where: { $0.kind == .events })
    else { throw Failure.usage("Only the journal can be followed: footbridge ctl journal --follow.") }
    let names = Names(table: table, connection: connection)
    let journals = JournalFollower(
      stream: stream, parameters: command.parameters.filter { $0.key != ControlOperation.session },
      connection: connection, names: names, output: output)
    guard let name = command.parameters[ControlOperation.session] ?? session else {
      return try await journals.followAll()
    }
    let id = try await names.session(name, for: stream)
    try await journals.follow(Names.Item(id: id, label: ""))
  }

  /// Tells how to connect to a WebSocket. Only a program can use one.
  private func handle(_ command: CommandArguments) async throws {
    var command = command
    try await fill(&command)
    do {
      try output.print(try await connection.send(command.call), of: command.operation)
    } catch ControlFailure.refused(status: 426, _, _) {
      let origin = connection.server.origin
      let address = (origin.isSecure ? "wss" : "ws") + "://\(origin.authority)\(table.base)\(command.call.path)"
      throw Failure.usage(
        "\(command.operation.summary): this is a WebSocket. Connect a program to \(address), "
          + "with the field Authorization: Bearer and the token of the control API.")
    }
  }
}
