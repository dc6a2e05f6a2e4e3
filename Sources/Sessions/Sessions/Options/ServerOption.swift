/// An option of a server. Its flag, its environment variable and its key in `footbridge.yaml` follow from one name.
///
/// The module that uses an option declares it, beside the struct with its parsed value. The list of all options in `Footbridge` is the only
/// other place that knows it: the command line, the file and the manual's test follow the list.
public struct ServerOption: Sendable {
  /// The form of an option's value.
  package enum Form: Sendable {
    /// On or off. The flag has no value.
    case flag
    /// A text.
    case text
    /// A text, or `off`, for which the file may have `false`.
    case textOrOff
    /// The path of a file or folder that must exist. In `footbridge.yaml`, such a path starts at the folder of that file.
    case pathOfInput
    /// Several texts: the flag can be repeated, the variable has separators, and the file has a list.
    case list
    /// Several header fields. The file may have them as a mapping.
    case fields
  }

  /// The name in camel case: `siteOrigin`.
  public let name: String
  /// The name of the flag, without its dashes: `site-origin`.
  public let flagName: String
  /// The environment variable: `FOOTBRIDGE_SITE_ORIGIN`.
  public let variable: String
  /// The form of the value.
  package let form: Form
  /// The name of the value in the help; empty for an option that is on or off.
  package let valueName: String
  /// The sentences of the help.
  package let help: String

  package init(_ name: String, _ form: Form = .text, _ valueName: String = "", help: String) {
    self.name = name
    self.form = form
    self.valueName = valueName
    self.help = help
    let words = Self.words(of: name)
    flagName = words.joined(separator: "-")
    variable = "FOOTBRIDGE_" + words.joined(separator: "_").uppercased()
  }

  /// The flag: `--site-origin`.
  public var flag: String { "--" + flagName }

  /// The key in `footbridge.yaml`: `siteOrigin`. Nil for the option that names this file.
  public var key: String? { name == "config" ? nil : name }

  /// Whether the option can have several values.
  package var isRepeatable: Bool { form == .list || form == .fields }

  /// The separator of several values in a variable: a comma. Header fields contain commas, so theirs is a line feed.
  public var separator: String { form == .fields ? "\n" : "," }

  private static func words(of name: String) -> [String] {
    var words = [""]
    // Bytes, since each start makes the names of all options. The names are ASCII.
    for byte in name.utf8 {
      let isUppercase = 0x41...0x5A ~= byte
      if isUppercase { words.append("") }
      words[words.count - 1].unicodeScalars.append(Unicode.Scalar(isUppercase ? byte | 0x20 : byte))
    }
    return words
  }
}

extension ServerOption: Hashable {
  /// Whether both have the same name.
  public static func == (one: ServerOption, other: ServerOption) -> Bool { one.name == other.name }
  /// Hashes the name.
  public func hash(into hasher: inout Hasher) { hasher.combine(name) }
}
