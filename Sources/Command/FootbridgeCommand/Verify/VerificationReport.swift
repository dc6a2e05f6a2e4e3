import BridgeCore
import Essentials
import Footbridge

/// The result of a verification, for people and for programs.
struct VerificationReport {
  /// What was compared.
  let verification: Verification
  /// The transcript's file.
  let file: String
  /// The bridge's name.
  let bridge: String

  /// A line for each difference, and one that says how many there are.
  var text: String {
    let differences = verification.differences
    var lines = differences.map { "\(file):\($0.line): \(bridge).\($0.name.visible): \(Self.sentence($0))" }
    let messages = Self.count(verification.cases.count, "message")
    lines.append(
      differences.isEmpty
        ? "\(messages): native says what the transcript has."
        : "\(messages): \(Self.count(differences.count, "difference")).")
    return lines.joined(separator: "\n")
  }

  /// The result as JSON.
  var json: JSONValue {
    [
      "transcript": .string(file), "bridge": .string(bridge), "messages": .number(Double(verification.cases.count)),
      "differences": .array(
        verification.differences.map { difference in
          var members: [String: JSONValue] = [
            "line": .number(Double(difference.line)), "message": .string(difference.name),
            "kind": .string(difference.kind.rawValue), "place": .string(difference.place),
          ]
          members["recorded"] = difference.recorded.map { .string($0) }
          members["played"] = difference.played.map { .string($0) }
          return .object(members)
        }),
    ]
  }

  /// The result as JUnit's XML: a test case for each message.
  var junit: String {
    let cases = verification.cases
    let failures = cases.count { !$0.differences.isEmpty }
    var lines = [
      #"<?xml version="1.0" encoding="UTF-8"?>"#,
      #"<testsuites><testsuite name="\#(Self.escaped("footbridge verify \(file.visible)"))" tests="\#(cases.count)" failures="\#(failures)">"#,
    ]
    for each in cases {
      let name = "\(bridge).\(each.name.visible) (line \(each.line))"
      let opening =
        #"<testcase name="\#(Self.escaped(name))" classname="\#(Self.escaped(bridge))" file="\#(Self.escaped(file.visible))" line="\#(each.line)""#
      guard let first = each.differences.first else {
        lines.append(opening + "/>")
        continue
      }
      let texts = each.differences.map { Self.escaped(Self.sentence($0)) }
      lines.append(
        opening + #"><failure type="\#(Self.escaped(first.kind.rawValue))" message="\#(texts[0])">"#
          + texts.joined(separator: "\n") + "</failure></testcase>")
    }
    return (lines + ["</testsuite></testsuites>"]).joined(separator: "\n")
  }

  private static func sentence(_ difference: Verification.Difference) -> String {
    switch (difference.recorded, difference.played) {
    case (let recorded?, let played?):
      "\(difference.kind.rawValue): \(difference.place) was \(recorded), and is \(played)"
    case (let recorded?, nil): "\(difference.kind.rawValue): \(recorded)"
    case (nil, let played): "\(difference.kind.rawValue): \(played ?? difference.place)"
    }
  }

  private static func count(_ number: Int, _ noun: String) -> String { "\(number) \(noun)\(number == 1 ? "" : "s")" }

  /// A text for XML, without characters that XML does not have.
  private static func escaped(_ text: String) -> String {
    text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
      .replacing("\"", with: "&quot;")
  }
}
