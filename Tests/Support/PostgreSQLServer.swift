import Foundation

@testable import Sessions

/// A PostgreSQL server of the tests' process, in a folder of its own, with a socket of its own. It ends with the process, however that ends.
final class PostgreSQLServer: Sendable {
  /// Whether PostgreSQL is installed (`make setup`).
  static var isInstalled: Bool { programs != nil }

  /// The address of the server's database.
  let url: String

  /// The server, which is started when it is first asked for. A thread of its own waits for that: the other tests need theirs.
  static func shared() async throws -> PostgreSQLServer { try await server.value }

  private static let server = Task {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try PostgreSQLServer() }) }
    }
  }

  /// The folder of Debian with `initdb` and `pg_ctl`, or that of the first of them in the PATH.
  private static let programs: String? = {
    let debian = (try? FileManager.default.contentsOfDirectory(atPath: "/usr/lib/postgresql")) ?? []
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    return
      (debian.sorted().reversed().map { "/usr/lib/postgresql/\($0)/bin" } + path.split(separator: ":").map(String.init))
      .first { FileManager.default.isExecutableFile(atPath: $0 + "/initdb") }
  }()

  /// The end of this pipe tells the shell below that the process is gone.
  private let input = Pipe()

  private struct NotStarted: Error, CustomStringConvertible { let description: String }

  private init() throws {
    // Short, since the path of a socket has at most 107 bytes.
    // Each module's tests have their own server: this file is part of several.
    let folder = "/tmp/footbridge-pg-\(#fileID.prefix { $0 != "/" })-\(getpid())"
    url = "postgresql://footbridge@/postgres?host=\(folder)"
    // PostgreSQL does not run as root.
    let other = getuid() == 0 ? "setpriv --reuid=postgres --regid=postgres --clear-groups" : ""
    let script = """
      mkdir -m 755 "$1" && { [ -z "$3" ] || chown postgres "$1"; } && cd "$1" &&
      $3 "$2/initdb" -D "$1/data" -U footbridge --auth=trust --encoding=UTF8 --locale=C --no-sync >"$1/initdb.log" 2>&1 &&
      $3 "$2/pg_ctl" -D "$1/data" -l "$1/data/log" -w -t 120 -o "-k $1 -c listen_addresses= -c fsync=off \
      -c full_page_writes=off -c max_connections=300 -c shared_buffers=16MB" start >/dev/null 2>&1 && echo started || cat "$1"/*.log
      cat >/dev/null
      $3 "$2/pg_ctl" -D "$1/data" -m immediate -W stop >/dev/null 2>&1
      rm -rf "$1"
      """
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/bin/sh")
    shell.arguments = ["-c", script, "sh", folder, Self.programs ?? "", other]
    let output = Pipe()
    shell.standardInput = input
    shell.standardOutput = output
    try shell.run()
    let text = String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
    guard text.hasPrefix("started") else { throw NotStarted(description: "PostgreSQL has not started: \(text)") }
  }
}
