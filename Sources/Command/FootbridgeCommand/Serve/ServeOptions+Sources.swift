import BridgeCore
import Essentials
import Footbridge
import Logging
import Sessions
import SiteServer

/// Puts flags, environment variables and the YAML file together.
extension ServeOptions {
  /// All sources. Reads the YAML file, if there is one.
  ///
  /// - Throws: ``Failure`` if the file cannot be read or is wrong.
  func sources() throws -> OptionSources {
    try Self.sources(flags: flags, environment: ProcessInfo.processInfo.environment)
  }

  /// All sources, with the values of these flags. Reads the YAML file, if there is one.
  static func sources(flags: [ServerOption: String], environment: [String: String]) throws -> OptionSources {
    guard let (path, _) = OptionSources(flags: flags, environment: environment)[.config], !path.isEmpty else {
      return OptionSources(flags: flags, environment: environment)
    }
    let text = String(decoding: try InputFile.read(path, named: path), as: UTF8.self)
    do throws(OptionError) {
      return OptionSources(flags: flags, environment: environment, file: try OptionFile(path: path, text: text))
    } catch {
      throw Failure.configuration(error.description)
    }
  }

  /// The server's options, with the catalogue read.
  func options(_ sources: OptionSources) throws -> FootbridgeOptions {
    do {
      var options = try sources.options()
      try StoreKitFile.readCatalogue(into: &options, sources, logger(sources))
      if let (path, _) = try sources.controlTokenFile() {
        try readControlToken(in: path, of: sources, into: &options)
      }
      for remark in sources.remarks { try logger(sources).warning("\(remark)") }
      try sources.apply(to: &options.onside)
      try check(options, from: sources)
      return options
    } catch let error as OptionError {
      throw Failure.option(error)
    }
  }

  /// The options of a server for one run of a command: a free port and no state, unless an option says otherwise. Pages never reload by
  /// themselves.
  ///
  /// - Throws: ``Failure``, also for the flag `--watch`. In a file it has no effect.
  func optionsOfOneRun(_ sources: OptionSources) throws -> FootbridgeOptions {
    guard flags[.watch] == nil else {
      throw Failure.usage("--watch is for serve alone: a page that reloads by itself would disturb its test.")
    }
    var options = try options(sources)
    if sources[.port] == nil { options.port = 0 }
    if sources[.state] == nil { options.state = nil }
    options.watchesRoot = false
    return options
  }

  /// Reads the token of the control API from a file.
  private func readControlToken(
    in path: String, of sources: OptionSources, into options: inout FootbridgeOptions
  ) throws {
    let name = sources.origin(of: path) + path
    let text = String(decoding: try InputFile.read(path, named: name, limit: 64 << 10), as: UTF8.self)
    if InputFile.isReadableByOthers(path) {
      try logger(sources).warning(
        "\(path) can be read by other users of this machine. Run chmod 600 on it to hide the token from them.")
    }
    do throws(OptionError) {
      options.controlToken = try OptionSources.controlToken(inFile: text, named: name)
    } catch {
      throw Failure.data(error.description)
    }
  }

  /// Checks that the products and scenarios of the file fit the catalogue.
  private func check(_ options: FootbridgeOptions, from sources: OptionSources) throws {
    do throws(OptionError) {
      try sources.check(with: options.onside)
      try options.checkScenarios()
    } catch {
      throw Failure.configuration(error.description)
    }
  }

  /// The logger, on standard error.
  func logger(_ sources: OptionSources) throws -> Logger {
    var logger = Logger(label: "footbridge") { ServerLog(label: $0) }
    logger.logLevel = .info
    if let (name, source) = sources[.logLevel] {
      guard let level = Logger.Level(rawValue: name) else {
        let levels = Logger.Level.allCases.map(\.rawValue)
        let meant = Spelling.suggestion(for: name, in: levels)
        throw Failure.option(
          OptionError("\(source) is \(name). It must be one of: \(levels.joined(separator: ", ")).\(meant)"))
      }
      logger.logLevel = level
    }
    return logger
  }
}
