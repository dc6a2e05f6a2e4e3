import BridgeCore

/// The values of options as texts, from flags, environment variables and the YAML file. A flag overrides a variable `FOOTBRIDGE_…`, and a
/// variable overrides a key of the file.
package struct OptionValues: Sendable {
  /// The kinds of sources; each one overrides those after it.
  package enum Kind: Int, CaseIterable, Comparable {
    case flag, variable, file

    package static func < (one: Kind, other: Kind) -> Bool { one.rawValue < other.rawValue }
  }

  private let flags: [ServerOption: String]
  private let environment: [String: String]
  /// The path of the file, and its values in the form of their flags.
  private let file: (path: String, values: [ServerOption: String])?

  package init(
    flags: [ServerOption: String], environment: [String: String],
    file: (path: String, values: [ServerOption: String])?
  ) {
    self.flags = flags
    self.environment = environment
    self.file = file
  }

  /// The value of an option, and the option's name in its source, from the first source that has it. An empty variable counts as not set.
  package subscript(_ option: ServerOption) -> (value: String, source: String)? {
    kind(of: option).flatMap { self[option, $0] }
  }

  /// The value of an option in one source, and the option's name in that source.
  package subscript(_ option: ServerOption, _ kind: Kind) -> (value: String, source: String)? {
    switch kind {
    case .flag:
      return flags[option].map { ($0, option.flag) }
    case .variable:
      guard let value = environment[option.variable], !value.isEmpty else { return nil }
      return (value, option.variable)
    case .file:
      guard let file, let key = option.key, let value = file.values[option] else { return nil }
      return (value, "\(key) in \(file.path)")
    }
  }

  /// The kind of the first source that has an option.
  package func kind(of option: ServerOption) -> Kind? { Kind.allCases.first { self[option, $0] != nil } }
}

/// Parsed values. Each error names the source of the value.
extension OptionValues {
  /// Whether an option is on.
  package func isSet(_ option: ServerOption) throws(OptionError) -> Bool {
    guard let (value, source) = self[option] else { return false }
    switch value {
    case "true": return true
    case "false": return false
    default: throw OptionError("\(source) is \(value). It must be true or false.")
    }
  }

  /// The value that `parse` reads; nil if the option is not set.
  package func parsed<Value, Problem: Error>(
    _ option: ServerOption, _ parse: (String) throws(Problem) -> Value
  ) throws(OptionError) -> Value? {
    guard let (text, source) = self[option] else { return nil }
    do throws(Problem) {
      return try parse(text)
    } catch {
      throw OptionError("\(source): \(error)")
    }
  }

  /// The texts of an option that can be repeated.
  package func texts(_ option: ServerOption) -> [String] {
    self[option]?.value.split(separator: option.separator).map { String($0.trimmingPrefix(while: \.isWhitespace)) }
      ?? []
  }

  /// The value that `parse` reads from all texts of an option that can be repeated.
  package func texts<Value, Problem: Error>(
    _ option: ServerOption, _ parse: ([String]) throws(Problem) -> Value
  ) throws(OptionError) -> Value {
    do throws(Problem) {
      return try parse(texts(option))
    } catch {
      throw OptionError("\(self[option]?.source ?? option.flag): \(error)")
    }
  }

  /// The values that `parse` reads from the texts of an option that can be repeated.
  package func list<Value, Problem: Error>(
    _ option: ServerOption, _ parse: (String) throws(Problem) -> Value
  ) throws(OptionError) -> [Value] {
    var values: [Value] = []
    for text in texts(option) {
      do throws(Problem) {
        values.append(try parse(text))
      } catch {
        throw OptionError("\(self[option]?.source ?? option.flag): \(error)")
      }
    }
    return values
  }

  /// A whole number in a range.
  package func number(_ option: ServerOption, in range: ClosedRange<Int>) throws(OptionError) -> Int? {
    guard let (value, source) = self[option] else { return nil }
    guard let number = Int(value), range.contains(number) else {
      throw OptionError("\(source) is \(value). It must be a number from \(range.lowerBound) to \(range.upperBound).")
    }
    return number
  }

  /// A number of seconds in a range.
  package func seconds(_ option: ServerOption, in range: ClosedRange<Double>) throws(OptionError) -> Duration? {
    guard let (value, source) = self[option] else { return nil }
    guard let seconds = Double(value), range.contains(seconds) else {
      throw OptionError(
        "\(source) is \(value). It must be a number of seconds from \(Int(range.lowerBound)) to \(Int(range.upperBound))."
      )
    }
    return .seconds(seconds)
  }

  /// One of the cases of a type.
  package func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ option: ServerOption
  ) throws(OptionError) -> Choice? {
    guard let (value, source) = self[option] else { return nil }
    guard let choice = Choice(rawValue: value) else {
      let choices = Choice.allCases.map(\.rawValue)
      let meant = Spelling.suggestion(for: value, in: choices)
      throw OptionError("\(source) is \(value). It must be one of: \(choices.joined(separator: ", ")).\(meant)")
    }
    return choice
  }
}
