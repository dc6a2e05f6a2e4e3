import BridgeRuntime
import Testing

@testable import Footbridge
@testable import SiteServer

@Suite struct PhoneScriptTests {
  private func options(_ phone: String?, onlyReports: Bool = false) throws -> PhoneOptions {
    var options = PhoneOptions()
    options.like = try phone.map { name throws(SiteError) in try Phone(name) }
    options.onlyReports = onlyReports
    return options
  }

  @BridgeActor @Test func `the phone's script comes after the shim, and only with a phone`() throws {
    var site = SiteOptions()
    let table = BridgeList().makeTable()
    let usual = ShimScripts(site, .init(), table).usual.bytes
    #expect(usual.firstRange(of: Array("requestIdleCallback".utf8)) == nil)
    site.phone = try options("ios-26")
    let played = ShimScripts(site, .init(), table).usual.bytes
    #expect(played.starts(with: usual))
    #expect(played.dropFirst(usual.count).firstRange(of: Array("requestIdleCallback".utf8)) != nil)
    // It is large, but no page has it by default.
    #expect(played.count < usual.count + 50_000)
  }

  @Test func `the code at the start of a worker is one line, and none if nothing is hidden`() throws {
    let start = try #require(WorkerStart(options("ios-26")))
    let added = String(decoding: start.added(to: Array("first();\nsecond();".utf8)), as: UTF8.self)
    #expect(added.split(separator: "\n").count == 2 && added.hasSuffix("first();\nsecond();"))
    #expect(try WorkerStart(options("ios-26", onlyReports: true)) == nil)
    #expect(try WorkerStart(options(nil)) == nil)
  }

  @Test(arguments: [
    ("\"use strict\";\na()", true), ("'use strict'", true), ("\u{FEFF}// one\n/* two\n*/ 'use strict'", true),
    ("a(); 'use strict'", false), ("/* 'use strict'", false), ("// 'use strict'", false), ("", false),
  ])
  func `a strict worker stays strict`(script: String, isStrict: Bool) throws {
    #expect(WorkerStart.isStrict(Array(script.utf8)) == isStrict)
    let added = try #require(WorkerStart(options("ios-26"))).added(to: Array(script.utf8))
    #expect(added.starts(with: "\"use strict\";".utf8) == isStrict)
  }
}
