import BridgeServer
import Sessions
import SiteServer
import WebServer

/// Reads `resources` of a bridge's section: `{app: {folder: ./assets}, ipc: {handler: true}, /_capacitor_file_/: {folder: ./files}}`.
struct DeclaredResourceNode {
  /// What answers, by the schemes in lower case and the beginnings of paths.
  let resources: [String: DeclaredResource]

  private static let longestName = 100

  /// Reads the section.
  ///
  /// - Throws: `OptionError` with the place of what is wrong.
  init(_ node: InputNode) throws(OptionError) {
    var resources: [String: DeclaredResource] = [:]
    for (name, node) in try node.members() {
      let place = try Self.place(name, node)
      guard resources[place] == nil else { throw node.expected("left out: the scheme \(place) is there already") }
      resources[place] = try Self.resource(node)
    }
    self.resources = resources
  }

  private static func place(_ name: String, _ node: InputNode) throws(OptionError) -> String {
    guard name.utf8.count <= longestName else { throw node.expected("given a shorter name") }
    if name.hasPrefix("/") {
      guard node.isOfFile else { throw node.expected("left out: only the bridges of a file answer paths of the site") }
      let segments = name.split(separator: "/")
      guard name.hasSuffix("/"), !segments.isEmpty, !segments.contains(where: { $0 == "." || $0 == ".." }),
        name.wholeMatch(of: /(\/[A-Za-z0-9._~!$&'()*+,;=:@-]+)+\//) != nil, !OwnPath.contains(name)
      else { throw node.expected("given a path such as /_capacitor_file_/, with a slash at both ends") }
      return name
    }
    // RFC 3986, section 3.1.
    guard name.wholeMatch(of: /[A-Za-z][A-Za-z0-9+.-]*/) != nil else {
      throw node.expected("given a scheme, such as app, or a path, such as /_capacitor_file_/")
    }
    let scheme = name.lowercased()
    guard !NativeRedirect.isOfBrowsers(scheme) else {
      throw node.expected("given another scheme: browsers answer \(scheme) themselves")
    }
    return scheme
  }

  private static func resource(_ node: InputNode) throws(OptionError) -> DeclaredResource {
    let members = try node.section(["folder", "handler"])
    switch (members["folder"], members["handler"]) {
    case (let folder?, nil):
      guard folder.isOfFile else {
        throw folder.expected("left out, since the control API reads no files: let the handler answer")
      }
      guard let root = StaticRoot(path: try folder.pathOfFile()) else { throw folder.expected("the path of a folder") }
      return .folder(root)
    case (nil, let handler?):
      guard try handler.bool() else { throw handler.expected("true, or left out with a folder in its place") }
      return .handler
    default: throw node.expected("given either a folder, or handler: true")
    }
  }
}
