import ArgumentParser
import Footbridge

/// The options of all commands that start a server: a flag for each ``ServerOption``.
struct ServeOptions: ParsableArguments {
  /// The values of the flags that were given. Those of a flag that can be repeated are joined by its separator.
  private(set) var flags: [ServerOption: String] = [:]

  init() {}
}

/// How ArgumentParser finds the flags: in the members of a mirror, and then under the same names in its decoder. So an option is declared
/// once, in the module that uses it.
extension ServeOptions: CustomReflectable {
  private struct Key: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }

  var customMirror: Mirror {
    Mirror(self, children: ServerOption.all.map { (label: $0.name, value: Self.argument($0)) })
  }

  private static func argument(_ option: ServerOption) -> Any {
    let name = NameSpecification.customLong(option.flagName)
    if option.form == .flag { return Flag<Bool>(wrappedValue: false, name: name, help: ArgumentHelp("\(option.help)")) }
    let help = ArgumentHelp("\(option.help)", valueName: option.valueName)
    return option.isRepeatable
      ? Option<[String]>(wrappedValue: [], name: name, help: help) as Any
      : Option<String?>(name: name, help: help)
  }

  init(from decoder: any Decoder) throws {
    let values = try decoder.container(keyedBy: Key.self)
    for option in ServerOption.all {
      let key = Key(stringValue: option.name)
      if option.form == .flag {
        if try values.decode(Flag<Bool>.self, forKey: key).wrappedValue { flags[option] = "true" }
      } else if option.isRepeatable {
        let texts = try values.decode(Option<[String]>.self, forKey: key).wrappedValue
        if !texts.isEmpty { flags[option] = texts.joined(separator: option.separator) }
      } else {
        flags[option] = try values.decode(Option<String?>.self, forKey: key).wrappedValue
      }
    }
  }
}
