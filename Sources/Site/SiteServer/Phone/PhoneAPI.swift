/// An API of Chromium that the web views of some phones lack: a row of the table in `web/phone/apis.tsv`.
struct PhoneAPI: Sendable, Hashable {
  /// The first version of a web view that has an API.
  enum Availability: Sendable, Hashable {
    case never
    case since(SystemVersion)
    case always

    /// Reads a cell of the table.
    init?(_ text: Substring) {
      switch text {
      case "-": self = .never
      case "yes": self = .always
      default:
        guard let version = SystemVersion(text) else { return nil }
        self = .since(version)
      }
    }
  }

  /// The path from the global object, such as `Navigator.prototype.vibrate`.
  let path: String
  let ios: Availability
  let isOnAndroid: Bool
  /// Where this is documented.
  let source: String

  /// Reads a row; nil if it is none.
  init?(_ line: Substring) {
    let cells = line.split(separator: "\t", omittingEmptySubsequences: false)
    guard cells.count == 4, let ios = Availability(cells[1]), ["yes", "-"].contains(cells[2]) else { return nil }
    path = String(cells[0])
    self.ios = ios
    isOnAndroid = cells[2] == "yes"
    source = String(cells[3])
  }

  /// The rows of a table. Comments and the line with the names of the columns are none.
  static func table(_ bytes: [UInt8]) -> [PhoneAPI] {
    String(decoding: bytes, as: UTF8.self).split(separator: "\n").compactMap { PhoneAPI($0) }
  }

  /// Whether a phone's web view lacks it.
  func isMissing(on phone: Phone) -> Bool {
    switch (phone.system, ios) {
    case (.android, _): !isOnAndroid
    case (.ios, .never): true
    case (.ios(let version), .since(let first)): version < first
    case (.ios, .always): false
    }
  }

  /// The version of the phone's system that has it first; empty if none has it.
  func firstVersion(on phone: Phone) -> String {
    guard phone.isIOS, case .since(let version) = ios else { return "" }
    return version.minor == 0 ? "\(version.major)" : "\(version.major).\(version.minor)"
  }
}
