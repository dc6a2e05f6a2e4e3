import ArgumentParser
import BridgeCore
import BridgeRuntime
import ControlClient
import Essentials
import Footbridge
import class Foundation.FileHandle

/// `footbridge ctl`: the control API on the command line.
struct Ctl: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "ctl",
    abstract: "Use the control API of a running server.",
    usage: "footbridge ctl [<options>] <operation> [<name> ...] [name=value ...]",
    discussion: """
      Every operation of the control API can be named by its words, such as "clock advance", or by its id, such as \
      advanceClock. "footbridge ctl --help" lists them all, and "footbridge ctl clock advance --help" lists the parameters of one. \
      Members of the body and of the query are written name=value, or name:=JSON. Names that are left out are found if there is only one.
      """,
    helpNames: [])

  @OptionGroup var choice: ServerChoice

  @Option(
    help: ArgumentHelp("The id or the name of the session. (default: the only session)", valueName: "session"),
    completion: .custom { arguments, _, _ in await CtlCompletion(arguments).sessions() })
  var session: String?

  @Flag(help: "Print JSON: one text for each answer, or one line for each followed entry.")
  var json = false

  @Flag(name: [.short, .long], help: "Follow the journal, of all sessions unless one is named.")
  var follow = false

  @Flag(
    inversion: .prefixedNo,
    help: "Show the address of session enter as a QR code, by qrencode. (default: in a terminal)")
  var qr: Bool?

  @Option(help: ArgumentHelp("The body as JSON; @file reads a file, - standard input.", valueName: "json"))
  var body: String?

  @Flag(name: [.short, .long], help: "Show help information, for all operations or for the one that is named.")
  var help = false

  @Argument(
    help: ArgumentHelp("The operation and its parameters.", valueName: "operation"),
    completion: .custom { arguments, index, prefix in
      await CtlCompletion(arguments, at: index, prefix: prefix).words()
    })
  var arguments: [String] = []

  func run() async throws {
    try await Terminal.run {
      let table = try ControlTable()
      if help || arguments.isEmpty {
        return try CtlHelp(table).lines(for: arguments).forEach { try Terminal.print($0) }
      }
      if json, qr == true { throw Failure.usage("--qr and --json are mutually exclusive.") }
      do {
        let command = try CommandArguments(arguments, body: try givenBody(), table.words)
        let server = try choice.find()
        let connection = try await ControlConnection(to: server, table.operations)
        let run = CtlRun(
          table: table.operations, connection: connection, session: session,
          output: CtlOutput(isJSON: json), follows: follow, showsQRCode: qr)
        try await run(command)
      } catch let problem as ArgumentProblem {
        throw Failure.usage(problem.description)
      } catch let failure as ControlFailure {
        throw Failure(failure)
      }
    }
  }

  private static let longestBody = 32 << 20

  private func givenBody() throws -> JSONValue? {
    guard let body else { return nil }
    let text: String
    let name: String
    if body == "-" {
      name = "standard input"
      let data = try FileHandle.standardInput.read(upToCount: Self.longestBody + 1) ?? Data()
      guard data.count <= Self.longestBody else {
        throw Failure.data("\(name) is larger than \(Self.longestBody) bytes.")
      }
      text = String(decoding: data, as: UTF8.self)
    } else if body.hasPrefix("@") {
      name = String(body.dropFirst())
      text = String(decoding: try InputFile.read(name, named: name, limit: Self.longestBody), as: UTF8.self)
    } else {
      (text, name) = (body, "--body")
    }
    do throws(JSONError) {
      return try JSONValue(parsing: text)
    } catch {
      throw Failure.data("\(name) is not valid JSON: \(error.description(in: text.utf8)).")
    }
  }
}

extension Failure {
  /// An operation of the control API has failed.
  init(_ failure: ControlFailure) {
    let code =
      switch failure {
      case .unreachable: EX_UNAVAILABLE
      case .tooLarge: EX_DATAERR
      case .refused(let status, _, _):
        switch status {
        case 401, 403: EX_NOPERM
        case 404: EX_NOINPUT
        case 408, 409, 429, 503, 504: EX_TEMPFAIL
        case 507: EX_IOERR
        case 500...: EX_SOFTWARE
        default: EX_DATAERR
        }
      }
    self.init(message: AnswerText.printable(failure.description), code: code)
  }
}

/// The operations of the control API and their words, from the embedded document.
struct ControlTable {
  let operations: OperationTable
  let words: OperationWords

  /// Reads the embedded document. Throws ``Failure`` if the program was built without it.
  init() throws {
    do throws(OperationTable.Defect) {
      operations = try OperationTable(describedBy: DescriptionRoutes.document)
    } catch {
      throw Failure.software("The description of the control API is broken: \(error.description)")
    }
    words = OperationWords(operations)
  }
}
