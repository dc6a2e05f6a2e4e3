import BridgeRuntime
import Testing

@testable import Footbridge
@testable import Sessions
@testable import SiteServer

@Suite struct ModuleOrderTests {
  private func files(_ texts: [String: String]) -> [String: EmbeddedFile] {
    Dictionary(
      uniqueKeysWithValues: texts.map { ($0, EmbeddedFile(path: $0, bytes: Array($1.utf8))) })
  }

  @Test func `a file comes after those that it imports, and each comes once`() {
    let order = ModuleOrder(
      of: ["shim/a.js", "shim/b.js"],
      in: files([
        "shim/a.js": "import { c } from \"../core/c.js\";\nimport \"./b.js\";\nexport const a = c;\n",
        "shim/b.js": "import {\n  c,\n} from \"../core/c.js\";\nexport function b() { return c; }\n",
        "core/c.js": "export let c = 1;\n",
      ]))
    #expect(order.paths == ["core/c.js", "shim/b.js", "shim/a.js"])
    let source = String(decoding: order.source, as: UTF8.self)
    #expect(source.split(separator: "\n") == ["let c = 1;", "function b() { return c; }", "const a = c;"])
    #expect(order.circles.isEmpty && order.missing.isEmpty)
  }

  @Test func `files in scopes of their own see what others export`() {
    let order = ModuleOrder(
      of: ["main.js"],
      in: files([
        "main.js": "import { one, Two } from \"./a.js\";\nconst local = one;\n",
        "a.js": "const local = 1;\nexport const one = local;\nexport class Two {}\nexport async function three() {}\n",
      ]))
    #expect(
      order.scopedSource
        == """
        const { one, Two, three } = (() => {
        const local = 1;
        const one = local;
        class Two {}
        async function three() {}
        return { one, Two, three };
        })();
        (() => {
        const local = one;
        })();

        """.replacing("{}\nreturn", with: "{}\n\nreturn").replacing("one;\n})", with: "one;\n\n})"))
  }

  @Test func `no two files of the dashboard export the same name, and none ends the element of its script`() {
    let order = ModuleOrder(of: ["dashboard/main.js"])
    #expect(Set(order.exports).count == order.exports.count)
    #expect(!order.scopedSource.lowercased().contains("</script") && !order.scopedSource.contains("<!--"))
    let page = String(decoding: EmbeddedFile.all["dashboard/index.html"]?.bytes ?? [], as: UTF8.self)
    #expect(page.contains(TranscriptPage.styleLink) && page.contains(TranscriptPage.scriptLink))
  }

  @Test func `files that import each other are named`() {
    let order = ModuleOrder(
      of: ["a.js"],
      in: files([
        "a.js": "import { b } from \"./b.js\";\n", "b.js": "import \"./c.js\";\n", "c.js": "import \"./b.js\";\n",
      ]))
    #expect(order.circles == [["b.js", "c.js", "b.js"]])
  }

  @Test func `an import of a file that does not exist is named`() {
    let order = ModuleOrder(of: ["x/a.js"], in: files(["x/a.js": "import \"../y/b.js\";\n"]))
    #expect(order.missing == ["x/a.js -> y/b.js"])
  }

  /// Every script of ours that has modules.
  private var modules: [String] { EmbeddedFile.all.keys.filter { $0.hasSuffix(".js") }.sorted() }

  @Test func `no files of web import each other in a circle`() {
    let order = ModuleOrder(of: modules)
    #expect(order.circles == [])
    #expect(order.missing == [])
  }

  /// The files of each joined script that no bridge chooses.
  private static let roots = [
    ["shim/core.js", "shim/window.js", "shim/scripts.js", "shim/relisten.js", "shim/departures.js"],
    ["sheets/window.js"] + ShimScript.words.keys.map { "sheets/\($0)" }, ["lint/watch.js"],
    ["phone/page.js", "phone/worker.js"],
  ]

  @Test(arguments: zip(["shim/", "sheets/", "lint/", "phone/"], roots))
  func `every file of a script is imported`(folder: String, roots: [String]) {
    let used = ModuleOrder(of: roots).paths.filter { $0.hasPrefix(folder) }
    #expect(used.sorted() == modules.filter { $0.hasPrefix(folder) })
  }

  /// The files that one joined script can have.
  private var scripts: [[String]] {
    let bridges = modules.filter { $0.hasPrefix("bridges/") }
    let shim = bridges.filter {
      !["/lint/", "/sheets/", "pane"].contains(where: $0.contains) && $0 != "bridges/sheets.js"
    }
    return [
      ["shim/core.js"] + shim + ["proxy/passing.js", "shim/window.js"], ["sheets/window.js"],
      bridges.filter { $0.contains("/lint/") } + ["lint/watch.js"],
      ["phone/page.js"], ["phone/worker.js"],
    ].map { ModuleOrder(of: $0).paths }
  }

  @Test func `no two files of a script give the same name to things`() throws {
    let declaration = #/(?:export )?(?:async )?(?:(?:function|class) (\w+)|(?:const|let) (?:(\w+)|[\[{](.*)[\]}] =))/#
    for paths in scripts {
      var owners: [String: String] = [:]
      for path in paths {
        let code = String(decoding: EmbeddedFile.all[path]?.bytes ?? [], as: UTF8.self)
        for line in code.split(separator: "\n") {
          guard let match = line.prefixMatch(of: declaration) else { continue }
          let list = (match.3 ?? "").split(separator: ",").map { $0.split(separator: ":").last ?? "" }
          for name in [match.1, match.2].compactMap(\.self) + list {
            let name = name.filter { $0 != " " }
            #expect(owners[name] == nil, "\(path) and \(owners[name] ?? "") have \(name)")
            owners[name] = path
          }
        }
      }
      #expect(!owners.isEmpty)
    }
  }

  @Test func `imports and exports are written as the server reads them`() {
    for path in scripts.joined() {
      for line in String(decoding: EmbeddedFile.all[path]?.bytes ?? [], as: UTF8.self).split(separator: "\n") {
        if line.hasPrefix("import ") {
          #expect(line.wholeMatch(of: #/import ("[^"]+";|\{( [\w, ]+ \} from "[^"]+";)?)/#) != nil, "\(path): \(line)")
        } else if line.hasPrefix("export ") {
          #expect(
            line.prefixMatch(of: #/export ((async )?function|class|const|let) /#) != nil, "\(path): \(line)")
        }
      }
    }
  }

  @Test func `the sheets find the words of every language, and have those of English only`() throws {
    let list = String(decoding: try #require(EmbeddedFile.all["sheets/words.js"]).bytes, as: UTF8.self)
    let languages = try #require(list.firstMatch(of: #/"([\w -]+)"\.split/#)).1.split(separator: " ")
    let routes = languages.filter { $0 != "en" }.map { "words/\($0).js" }
    #expect(routes.sorted() == ShimScript.words.keys.sorted())
    for (route, script) in ShimScript.words {
      #expect(ModuleOrder(of: ["sheets/\(route)"]).paths == ["sheets/add-words.js", "sheets/\(route)"])
      #expect(script.byteCount <= 8000, "\(route)")
    }
    let words = ModuleOrder(of: ["sheets/window.js"]).paths.filter { $0.hasPrefix("sheets/words/") }
    #expect(words == ["sheets/words/en.js"])
  }

  /// The bytes of the shim with each set of bridges. It grows only if that is worth it for every page: then change the number.
  private static let limits = [
    ("", 28_401), ("gbg: { enabled: false }", 25_193),
    ("onsideContract: \"1.3\"\ngbg: { enabled: false }\ntoday: { enabled: false }", 25_034),
    ("bridges: { shop: { channels: { shop: { reply: true } } } }", 42_026),
    ("bridges: { own: { preset: capacitor } }", 49_335), ("bridges: { own: { preset: cordova } }", 46_720),
    ("bridges: { own: { preset: dsbridge } }", 47_619), ("bridges: { own: { preset: duckduckgo } }", 46_979),
    ("bridges: { own: { preset: flutter } }", 46_180), ("bridges: { own: { preset: hotwire } }", 46_600),
    ("bridges: { own: { preset: react-native } }", 46_921), ("bridges: { own: { preset: telegram } }", 47_212),
    ("bridges: { own: { preset: wvjb } }", 57_794),
  ]

  @BridgeActor @Test(arguments: limits)
  func `the shim has no more bytes than its limit`(settings: String, limit: Int) throws {
    let file = try OptionFile(path: "footbridge.yaml", text: settings.isEmpty ? "{}" : settings)
    let options = try OptionSources(flags: [:], environment: [:], file: file).options()
    let bytes = ShimScripts(options.site, options.sessions, options.bridges.makeTable()).usual.byteCount
    #expect(bytes <= limit)
  }
}
