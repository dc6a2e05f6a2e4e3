import BridgeCore
import BridgeServer
import Sessions

/// Reads `objects` of a bridge's section: `{Name: {method: {now: true}, …}, …}`.
struct DeclaredObjectNode {
  /// The objects, each after those that hold it.
  let objects: [DeclaredObject]

  /// The name of the member that makes an object a class.
  static let constructor = "new"

  private static let kinds = ["returns", "now", "message", "promise", "callback", "value", "event"]

  /// Reads the section.
  ///
  /// - Parameter isJava: Whether methods are those of Java, none of which returns a promise.
  init(_ node: InputNode, isJava: Bool) throws(OptionError) {
    var objects: [DeclaredObject] = []
    for (name, node) in try node.members() {
      let path = name.split(separator: ".", omittingEmptySubsequences: false).map { String($0) }
      guard path.allSatisfy({ !$0.isEmpty }) else {
        throw node.expected("named by a path from window, such as AcmeHost")
      }
      var members: [String: DeclaredObject.Entry] = [:]
      for (name, node) in try node.members() {
        members[name] =
          name == Self.constructor && !isJava
          ? try Self.constructor(node) : try Self.entry(node, isJava: isJava)
      }
      let object = DeclaredObject(path: path, members: members)
      if object.isClass, members["prototype"] != nil {
        throw node.expected("given another member than prototype, which every class has")
      }
      objects.append(object)
    }
    self.objects = objects.sorted { $0.name < $1.name }
  }

  private static func entry(_ node: InputNode, isJava: Bool) throws(OptionError) -> DeclaredObject.Entry {
    let kinds = isJava ? ["returns", "now", "message"] : Self.kinds
    let members = try node.section(kinds + ["args"])
    let given = kinds.filter { members[$0] != nil }
    guard given.count == 1, let kind = given.first, let value = members[kind] else {
      throw node.expected("given exactly one of: \(kinds.joined(separator: ", "))")
    }
    if let args = members["args"], kind == "value" || kind == "event" {
      throw args.expected("left out: only a method has args")
    }
    return DeclaredObject.Entry(member: try member(kind, value), arguments: try members["args"].map(names))
  }

  /// Reads what makes instances: `{members: {method: {now: true}, …}, args?, now?}`.
  private static func constructor(_ node: InputNode) throws(OptionError) -> DeclaredObject.Entry {
    let given = try node.section(["members", "args", "now"])
    var members: [String: DeclaredObject.Entry] = [:]
    for (name, node) in try given["members"]?.members() ?? [] {
      guard name != "constructor" else { throw node.expected("under another name: each instance has a constructor") }
      members[name] = try entry(node, isJava: false)
    }
    return DeclaredObject.Entry(
      member: .constructor(members, isNow: try given["now"]?.bool() ?? false), arguments: try given["args"].map(names))
  }

  private static func member(_ kind: String, _ value: InputNode) throws(OptionError) -> DeclaredObject.Member {
    switch kind {
    case "returns": return .returns(try value.template())
    case "value": return .value(try value.template())
    case "event": return .event(try value.text())
    default:
      guard try value.bool() else { throw value.expected("true, or left out with another kind of method in its place") }
      return kind == "now" ? .now : kind == "message" ? .message : kind == "promise" ? .promise : .callback
    }
  }

  private static func names(_ node: InputNode) throws(OptionError) -> [String] {
    let names = try node.texts()
    guard Set(names).count == names.count else { throw node.expected("a list of different names") }
    return names
  }
}
