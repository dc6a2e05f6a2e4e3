import BridgeRuntime
import Foundation
import Testing

@testable import Footbridge
@testable import GBGServer
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer

@Suite struct EmbeddedFileTests {
  @Test func `every file of web that is served is embedded unchanged`() throws {
    let web = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../../web")
      .standardized
    var paths: Set<String> = []
    for folder in [
      "about", "api", "bridges", "dashboard", "demo", "device", "evaluation", "launch", "phone", "proxy", "lint",
      "recorder",
      "sheets",
      "shim",
      "workers",
    ] {
      for name in try FileManager.default.subpathsOfDirectory(atPath: web.appendingPathComponent(folder).path)
      where name.contains(".") && !name.contains("/types") && !name.hasSuffix(".d.ts")
        && !name.hasSuffix(".md")
      {
        paths.insert("\(folder)/\(name)")
      }
    }
    #expect(Set(EmbeddedFile.all.keys) == paths)
    for path in paths {
      let data = try Data(contentsOf: web.appendingPathComponent(path))
      #expect(EmbeddedFile.all[path]?.bytes == Array(data), "\(path) is not embedded as it is")
    }
  }

  @Test func `no embedded file outside of a bridge's folder names the bridge`() {
    for (path, file) in EmbeddedFile.all
    where ["shim/", "sheets/", "lint/", "dashboard/"].contains(where: path.hasPrefix) {
      let text = String(decoding: file.bytes, as: UTF8.self).lowercased()
      for name in ["onside", "gbg", "todaywebview"] { #expect(!text.contains(name), "\(path) names \(name)") }
    }
  }

  @BridgeActor @Test func `the shim contains the server's configuration`() {
    var sessions = SessionOptions()
    sessions.platform = .macos
    let source = String(
      decoding: ShimScripts(SiteOptions(), sessions, BridgeList().makeTable()).usual.bytes, as: UTF8.self)
    #expect(source.contains(#""platform":"macos""#))
  }

  @BridgeActor @Test func `a session of another platform or contract gets another shim`() {
    let shims = ShimScripts(SiteOptions(), SessionOptions(), BridgeList().makeTable())
    let source = String(decoding: shims[["1.3", "", ""], .macos].bytes, as: UTF8.self)
    #expect(source.contains(#""onsideContract":"1.3""#))
    #expect(source.contains(#""platform":"macos""#))
    #expect(shims[["docs", "", ""], .ios].bytes == shims.usual.bytes)
  }

  @BridgeActor @Test func `the shim contains GBGBridge's channel and delivery, and links the bootstrap script`() throws
  {
    var options = FootbridgeOptions()
    options.gbg.delivery = GBGDelivery(
      function: "app.receive", event: nil, bootstrapScript: "let developersOwn; // last")
    let source = String(
      decoding: ShimScripts(options.site, options.sessions, options.bridges.makeTable()).usual.bytes, as: UTF8.self)
    #expect(source.contains(#""name":"gbgBridge""#))
    #expect(source.contains(#""function":"app.receive""#))
    // An error in it would break the whole shim.
    #expect(!source.contains("let developersOwn"))
    let file = try #require(options.bridges.makeTable().scriptFiles["bridges/gbg/1-bootstrap.js"])
    #expect(source.contains(file.path))
    #expect(
      String(decoding: file.bytes, as: UTF8.self)
        == "footbridgeBootstrap(function (footbridge) {\nlet developersOwn; // last\n});\n")
  }

  @BridgeActor @Test func `the shim contains nothing of GBGBridge when it is switched off`() {
    var options = FootbridgeOptions()
    options.gbg.isEnabled = false
    options.gbg.delivery.bootstrapScript = "let developersOwn"
    let source = String(
      decoding: ShimScripts(options.site, options.sessions, options.bridges.makeTable()).usual.bytes, as: UTF8.self)
    #expect(!source.contains(#""name":"gbgBridge""#))
    #expect(!source.contains("let developersOwn"))
  }

  @BridgeActor @Test(arguments: ["onside", "today", "gbg"])
  func `the shim contains a bridge's files only if the bridge is switched on`(name: String) throws {
    let file = try OptionFile(path: "footbridge.yaml", text: "\(name): { enabled: false }")
    let options = try OptionSources(flags: [:], environment: [:], file: file).options()
    let without = ShimScripts(options.site, options.sessions, options.bridges.makeTable()).usual.bytes
    let with = ShimScripts(SiteOptions(), SessionOptions(), BridgeList().makeTable()).usual.bytes
    let path = "bridges/\(name)/shim.js"
    let code = ScriptModule(try #require(EmbeddedFile.all[path]?.bytes), path: path).code
    // A declaration at its beginning continues that of another file.
    let own = ShimScript.compact(code).dropFirst("let ".utf8.count)
    #expect(with.firstRange(of: own) != nil)
    #expect(without.firstRange(of: own) == nil)
  }

  @BridgeActor @Test func `the shim is the text of an element in one line, unless a developer's script is in it`()
    throws
  {
    let text = try #require(ShimScripts(SiteOptions(), SessionOptions(), BridgeList().makeTable()).usual.elementText)
    let source = String(decoding: text, as: UTF8.self)
    #expect(source.allSatisfy { $0.isASCII && !$0.isNewline })
    #expect(source.hasSuffix("//# sourceURL=/__footbridge/shim.js"))
    #expect(!source.lowercased().contains("</script") && !source.contains("<!--"))
    #expect(
      ShimScript.elementText(Array("a = '</SCRIPT>';\nb = '<!--';".utf8))
        == Array(
          #"a = '\x3C/SCRIPT>'; b = '\x3C!--';//# sourceURL=/__footbridge/shim.js"#.utf8))
    #expect(ShimScript.elementText(Array("a = 'é';".utf8)) == nil)

    var parts = BridgeList().makeTable().shimParts.map { (bridge: "acme", part: $0) }
    parts[0].part.script = "own = 1 // a comment\n"
    let own = ShimScript.shim(SiteOptions(), FootbridgeLimits(), BridgeList().makeTable(), parts, .ios)
    #expect(own.elementText == nil && String(decoding: own.bytes, as: UTF8.self).contains("own = 1"))
  }

  @BridgeActor @Test func `scripts have copies in gzip, and the shim's has at most 9,810 bytes`() throws {
    let shims = ShimScripts(SiteOptions(), SessionOptions(), BridgeList().makeTable())
    for script in [shims.usual, ShimScript.sheets, shims.lint] + ShimScript.words.values {
      let copy = try #require(script.encodedCopies[.gzip])
      #expect(copy.entityTag != script.entityTag && copy.mediaType == script.mediaType)
    }
    #expect(
      try #require(ShimScripts(SiteOptions(), SessionOptions(), BridgeList().makeTable()).usual.encodedCopies[.gzip])
        .byteCount <= 9810)
  }

  @Test func `the demo's catalogue is valid`() throws {
    #expect(try Demo.storeKitConfiguration().catalogue.products.count >= 4)
  }
}
