import Essentials

/// Names of time zones, such as Europe/Berlin (IANA Time Zone Database). Only pages need their meaning.
package enum TimeZoneName {
  /// The machine's time zone; `GMT` if it is unknown.
  static var current: String {
    let settings = [
      ProcessInfo.processInfo.environment["TZ"],
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/etc/localtime"),
    ]
    for setting in settings.compactMap(\.self) {
      let name = setting.split(separator: "/zoneinfo/", maxSplits: 1).last.map(String.init) ?? setting
      if isKnown(name) { return name }
    }
    return "GMT"
  }

  /// Whether there is such a time zone. Without the database, any text that could be a name is accepted.
  package static func isKnown(_ name: String) -> Bool {
    guard name.utf8.count <= 64, name.wholeMatch(of: /[A-Za-z][A-Za-z0-9+_-]*(?:\/[A-Za-z0-9+_-]+)*/) != nil else {
      return false
    }
    return folders.contains { isFile("\($0)/\(name)") }
      || !folders.contains { FileManager.default.fileExists(atPath: $0) }
  }

  private static func isFile(_ path: String) -> Bool {
    var status = stat()
    return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
  }

  /// Where systems keep the database.
  private static let folders = ["/usr/share/zoneinfo", "/var/db/timezone/zoneinfo"]
}
