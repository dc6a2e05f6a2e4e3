import ArgumentParser
import Footbridge
import Foundation
import Logging
import OnsideKit

/// The options of everything that starts a server.
struct ServeOptions: ParsableArguments {
  @Option(help: ArgumentHelp("The folder of the site to serve. Without it, the demo is served.", valueName: "dir"))
  var root: String?

  @Flag(help: "Give the root's index.html for paths that have no file, when a browser goes there.")
  var spa = false

  @Flag(help: "Have pages load themselves again when a file in the root changes.")
  var watch = false

  @Option(help: ArgumentHelp("The address of the server to stand in front of.", valueName: "url"))
  var proxy: String?

  @Option(help: ArgumentHelp("How long that server may take to begin an answer. (default: 30)", valueName: "seconds"))
  var proxyTimeout: String?

  @Flag(help: "Take any https certificate from that server, if it is on this machine or a private network.")
  var proxyInsecure = false

  @Option(help: ArgumentHelp("Products: a StoreKit configuration file of Xcode's.", valueName: "file.storekit"))
  var catalog: String?

  @Option(help: ArgumentHelp("A file with these options and more.", valueName: "footbridge.yaml"))
  var config: String?

  @Option(help: ArgumentHelp("The address to listen on. (default: 127.0.0.1)", valueName: "address"))
  var host: String?

  @Option(help: ArgumentHelp("The port to listen on; 0 picks a free one. (default: 8080)", valueName: "port"))
  var port: String?

  @Option(help: ArgumentHelp("The port to listen on with https; 0 picks a free one.", valueName: "port"))
  var tlsPort: String?

  @Option(
    help: ArgumentHelp(
      "The certificate for https, its issuers behind it, in PEM form. (default: one of the local authority)",
      valueName: "file"
    )
  )
  var tlsCert: String?

  @Option(help: ArgumentHelp("The certificate's private key, in PEM form.", valueName: "file"))
  var tlsKey: String?

  @Option(help: ArgumentHelp("The https origin that the page has in production.", valueName: "https://…"))
  var siteOrigin: String?

  @Option(
    help: ArgumentHelp(
      "A further name of the server, where something in front of it leads to it. Can be given several times.",
      valueName: "name[:port]"
    )
  )
  var allowHost: [String] = []

  @Option(
    help: ArgumentHelp(
      "A further origin whose pages may use the bridge. Can be given several times.",
      valueName: "origin"
    )
  )
  var allowOrigin: [String] = []

  @Option(help: ArgumentHelp("The platform that pages are told: ios or macos. (default: ios)", valueName: "platform"))
  var platform: String?

  @Option(
    help: ArgumentHelp(
      "Who answers native sheets: page (the person in it), control (the control API), auto (approved at once). (default: page)",
      valueName: "mode"
    )
  )
  var present: String?

  @Option(
    help: ArgumentHelp(
      "The bearer token of the control API. (default: a new one, which is printed)", valueName: "token"))
  var controlToken: String?

  @Option(
    help: ArgumentHelp(
      "A file with that token, which other users of the machine do not see in the list of processes.",
      valueName: "file"))
  var controlTokenFile: String?

  @Option(help: ArgumentHelp("The contract of window.onside: docs or 1.3. (default: docs)", valueName: "version"))
  var onsideContract: String?

  @Option(help: ArgumentHelp("The scenario of footbridge.yaml that sessions begin with.", valueName: "name"))
  var scenario: String?

  @Option(help: ArgumentHelp("A number from which all ids of sessions follow.", valueName: "number"))
  var seed: String?

  @Option(
    help: ArgumentHelp(
      "Where to keep what outlives the server. (default: footbridge in the XDG state directory)",
      valueName: "dir"
    )
  )
  var state: String?

  @Flag(help: "Keep nothing.")
  var ephemeral = false

  @Option(
    help: ArgumentHelp(
      "What waits for the sockets: poll, or libev for thousands of connections. (default: poll)", valueName: "kind"))
  var eventLoop: String?

  @Option(
    help: ArgumentHelp(
      "How much is logged: trace, debug, info, notice, warning, error. (default: info)", valueName: "level"))
  var logLevel: String?

  /// What was set, in flags, environment and file.
  func sources() throws -> OptionSources {
    let flags: [String: String?] = [
      "root": root, "spa": spa ? "true" : nil, "watch": watch ? "true" : nil, "catalog": catalog, "host": host,
      "port": port, "site-origin": siteOrigin, "platform": platform,
      "present": present, "log-level": logLevel,
      "state": state, "ephemeral": ephemeral ? "true" : nil,
      "onside-contract": onsideContract, "control-token": controlToken,
      "control-token-file": controlTokenFile,
      "proxy": proxy, "proxy-timeout": proxyTimeout, "proxy-insecure": proxyInsecure ? "true" : nil,
      "tls-port": tlsPort, "tls-cert": tlsCert, "tls-key": tlsKey,
      "allow-host": Self.joined(allowHost), "allow-origin": Self.joined(allowOrigin),
      "scenario": scenario, "seed": seed, "event-loop": eventLoop,
    ]
    let environment = ProcessInfo.processInfo.environment
    var file: OptionFile?
    if let path = config ?? environment["FOOTBRIDGE_CONFIG"], !path.isEmpty {
      let text = String(decoding: try InputFile.read(path, named: path), as: UTF8.self)
      do throws(OptionError) {
        file = try OptionFile(path: path, text: text)
      } catch {
        throw Failure.configuration(error.description)
      }
    }
    return OptionSources(flags: flags.compactMapValues { $0 }, environment: environment, file: file)
  }

  /// The server's options, with the catalogue read.
  func options(_ sources: OptionSources) throws -> FootbridgeOptions {
    do {
      var options = try sources.options()
      if let (path, _) = sources["catalog"] {
        options.onside = OnsideConfiguration(try StoreKitFile.read(path, named: sources.origin(of: path) + path))
      } else if options.root == nil, options.proxy == nil {
        options.onside = try demoConfiguration()
      }
      if let (path, _) = try sources.controlTokenFile() {
        try readControlToken(in: path, of: sources, into: &options)
      }
      try sources.apply(to: &options.onside)
      try check(options, from: sources)
      return options
    } catch let error as OptionError {
      throw Failure.usage(error.description)
    }
  }

  /// Reads the token of the control API from a file.
  private func readControlToken(
    in path: String, of sources: OptionSources, into options: inout FootbridgeOptions
  ) throws {
    let name = sources.origin(of: path) + path
    let text = String(decoding: try InputFile.read(path, named: name, limit: 64 << 10), as: UTF8.self)
    if InputFile.isReadableByOthers(path) {
      try logger(sources).warning(
        "\(path) can be read by other users of this machine: chmod 600 keeps the token from them.")
    }
    do throws(OptionError) {
      options.controlToken = try sources.controlToken(inFile: text, named: name)
    } catch {
      throw Failure.data(error.description)
    }
  }

  /// Products and scenarios of the file are about what is in the catalogue.
  private func check(_ options: FootbridgeOptions, from sources: OptionSources) throws {
    do throws(OptionError) {
      try sources.check(with: options.onside)
      for (_, scenario) in options.scenarios.sorted(by: { $0.key < $1.key }) {
        try scenario.check(with: options.onside)
      }
    } catch {
      throw Failure.configuration(error.description)
    }
  }

  /// The logger, on standard error.
  func logger(_ sources: OptionSources) throws -> Logger {
    var logger = Logger(label: "footbridge") { StreamLogHandler.standardError(label: $0) }
    logger.logLevel = .info
    if let (name, source) = sources["log-level"] {
      guard let level = Logger.Level(rawValue: name) else {
        let levels = Logger.Level.allCases.map(\.rawValue).joined(separator: ", ")
        throw Failure.usage("\(source) is \(name). It must be one of: \(levels).")
      }
      logger.logLevel = level
    }
    return logger
  }

  /// The values of an option that can be given several times, as the other sources have them.
  private static func joined(_ values: [String]) -> String? {
    values.isEmpty ? nil : values.joined(separator: ",")
  }

  private func demoConfiguration() throws -> OnsideConfiguration {
    do {
      return OnsideConfiguration(try Demo.storeKitConfiguration())
    } catch {
      throw Failure.software("The demo's catalogue is broken: \(error).")
    }
  }
}
