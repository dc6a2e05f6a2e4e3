import BridgeCore
import BridgeServer
import HTTP1
import HTTPTypes
import Sessions
import Testing

@testable import DeclaredServer
@testable import Footbridge

/// `resources` of a bridge's section, and the answers of handlers.
@Suite struct DeclaredResourceTests {
  private func options(bridges: String) throws -> FootbridgeOptions {
    let file = try OptionFile(path: "footbridge.yaml", text: "bridges: \(bridges)")
    return try OptionSources(flags: [:], environment: [:], file: file).options()
  }

  private func declared(_ section: String) throws -> DeclaredDefinition {
    let table = try options(bridges: "{ acme: \(section) }").bridges.makeTable()
    return try #require(table.definitions.compactMap { $0 as? DeclaredDefinition }.first)
  }

  @Test func `pages and workers know the schemes, and the server the paths`() throws {
    let bridge = try declared(
      "{ resources: { IPC: { handler: true }, app: { folder: / }, /files/: { handler: true } } }")
    #expect(bridge.shim.configuration["declared"]?.arrayValue?.first?["schemes"] == ["app", "ipc"])
    #expect(bridge.shim.workerConfiguration["schemes"] == [["app", "acme"], ["ipc", "acme"]])
    #expect(bridge.resourcePaths == ["/files/"])
  }

  @Test func `only a bridge with schemes has their scripts`() throws {
    #expect(try declared("{ resources: { a: { handler: true } } }").shim.files.contains("declared/resources/page.js"))
    let without = try declared("{ resources: { /files/: { handler: true } } }").shim
    #expect(!without.files.contains("declared/resources/page.js"))
    #expect(without.workerFiles.isEmpty)
  }

  @Test(arguments: [
    ("{ http: { handler: true } }", "browsers answer http themselves"),
    ("{ Data: { handler: true } }", "browsers answer data themselves"),
    ("{ javascript: { handler: true } }", "browsers answer javascript themselves"),
    ("{ 1a: { handler: true } }", "a scheme, such as app"), ("{ a_b: { handler: true } }", "a scheme, such as app"),
    ("{ app: { handler: true }, APP: { handler: true } }", "is there already"),
    ("{ /files: { handler: true } }", "with a slash at both ends"),
    ("{ /: { handler: true } }", "a slash at both ends"),
    ("{ /a/../b/: { handler: true } }", "a slash at both ends"),
    ("{ /__footbridge/a/: { handler: true } }", "a slash at both ends"),
    ("{ app: { folder: none-such } }", "the path of a folder"), ("{ app: { handler: false } }", "true"),
    ("{ app: {} }", "either a folder, or handler: true"),
    ("{ app: { folder: /, handler: true } }", "either a folder, or handler: true"),
  ])
  func `a wrong resource prevents the start`(section: String, problem: String) {
    #expect { _ = try declared("{ resources: \(section) }") } throws: { "\($0)".contains(problem) }
  }

  @Test func `two bridges cannot have one scheme`() {
    let bridges = "{ a: { resources: { app: { handler: true } } }, b: { resources: { app: { handler: true } } } }"
    #expect { _ = try options(bridges: bridges) } throws: {
      "\($0)".contains("bridges.b.resources.app is a scheme of a, too")
    }
  }

  @Test func `a declaration by the control API has neither folders nor paths`() throws {
    for (resources, problem): (JSONValue, String) in [
      (["app": ["folder": "/"]], "reads no files"), (["/files/": ["handler": true]], "only the bridges of a file"),
    ] {
      #expect { _ = try DeclaredResourceNode(InputNode(resources, source: "the body")) } throws: {
        "\($0)".contains(problem)
      }
    }
  }

  @Test func `a reply has a status, headers and a body`() throws {
    let response = try ResourceResponse(["status": 201, "headers": ["X-A": "b"], "body": ["c": 1]])
    #expect(response.status.code == 201)
    #expect(response.fields[.contentType] == "application/json")
    #expect(response.fields[HTTPField.Name("X-A")!] == "b")
    #expect(response.body == Array(#"{"c":1}"#.utf8))
    #expect(try ResourceResponse(["body": "a"]).fields[.contentType] == "text/plain; charset=utf-8")
    #expect(try ResourceResponse(["base64": "AP8="]).body == [0, 255])
    #expect(try ResourceResponse(nil).status == .notFound)
  }

  @Test func `headers that concern the connection or the whole site are left out`() throws {
    let headers: JSONValue = [
      "Set-Cookie": "a=b", "Content-Length": "9", "Connection": "close", "Transfer-Encoding": "chunked", "ETag": "1",
    ]
    #expect(try ResourceResponse(["headers": headers]).fields.map(\.name) == [.eTag])
  }

  @Test(
    arguments: [
      ("a", "no object"), (["status": 99], "status"), (["status": "ok"], "status"), (["headers": []], "headers"),
      (["headers": ["a b": "c"]], "header that HTTP cannot have"),
      (["headers": ["a": "b\r\nc: d"]], "HTTP cannot have"),
      (["headers": ["a": 1]], "HTTP cannot have"), (["base64": "*"], "base64"), (["base64": 1], "base64"),
      (["body": "a", "base64": "AA=="], "both"),
    ] as [(JSONValue, String)])
  func `a reply that no response can be is a problem`(reply: JSONValue, problem: String) {
    #expect { _ = try ResourceResponse(reply) } throws: { "\($0)".contains(problem) }
  }

  @Test func `a response that names an origin is only for scripts of that origin`() throws {
    let response = try ResourceResponse(["headers": ["Access-Control-Allow-Origin": "https://a.example"]])
    #expect(response.isReadable(by: "https://a.example"))
    #expect(!response.isReadable(by: "https://b.example"))
    #expect(try ResourceResponse(["body": ""]).isReadable(by: "https://b.example"))
  }
}
