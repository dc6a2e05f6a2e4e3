import BridgeCore

@testable import DeclaredServer
@testable import Sessions

/// What the handler of a declared bridge writes: a line says something, or what is wrong with it without a word of its own. A sheet that can be
/// shown can be approved as it is shown.
enum HandlerFuzz {
  private static let limit = 1 << 16

  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    var lines = HandlerLines(limit: limit)
    for line in lines.push(input + [0x0A]) {
      if case .whole(let bytes) = line {
        try FuzzFinding.unless(bytes.count <= limit, "A line has \(bytes.count) bytes.")
      }
      do throws(HandlerMessage.Problem) {
        guard case .sheet(_, _, let sheet) = try HandlerMessage(line) else { continue }
        try check(sheet)
      } catch {
        try FuzzFinding.unless(error.description.utf8.count < 300, "A problem is told at length: \(error)")
      }
    }
  }

  private static func check(_ sheet: DeclaredSheet) throws(HandlerMessage.Problem) {
    var answer = sheet.members(for: .approve())
    var fields = answer["fields"]?.objectValue ?? [:]
    fields[DeclaredSheet.button] = answer.removeValue(forKey: DeclaredSheet.button)
    if let problem = DeclaredSheet.problem(of: fields, in: sheet.content) {
      throw HandlerMessage.Problem(String(repeating: "The sheet cannot be approved: \(problem). ", count: 20))
    }
  }
}
