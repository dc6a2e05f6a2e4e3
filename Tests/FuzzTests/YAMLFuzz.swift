import OnsideKit

@testable import BridgeServer
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer
@testable import TodayServer

/// Configuration files: each is options or an error.
enum YAMLFuzz {
  static func check(_ input: [UInt8]) {
    do throws(OptionError) {
      let file = try OptionFile(path: "footbridge.yaml", text: String(decoding: input, as: UTF8.self))
      let sources = OptionSources(flags: [:], environment: [:], file: file)
      _ = try sources.options()
      var configuration = OnsideConfiguration()
      try sources.apply(to: &configuration)
      try sources.check(with: configuration)
    } catch {
      // What is wrong with it is told.
    }
  }
}
