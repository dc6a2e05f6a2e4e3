/// A bridge whose pages load scripts of its own, each a file of its own below `/__footbridge/`.
protocol ScriptServingBridge: ConfigurableBridge {
  /// The scripts. A path is what follows `/__footbridge/`.
  var scriptFiles: [EmbeddedFile] { get }
}

extension BridgeTable {
  /// The scripts of all bridges, by their paths below `/__footbridge/`.
  var scriptFiles: [String: EmbeddedFile] {
    let files = definitions.compactMap { $0 as? any ScriptServingBridge }.flatMap(\.scriptFiles)
    return Dictionary(files.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
