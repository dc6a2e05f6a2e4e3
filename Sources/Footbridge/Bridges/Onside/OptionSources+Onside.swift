public import OnsideKit

/// The options of the store.
extension OptionSources {
  /// Applies the options of the store to `configuration`.
  ///
  /// - Throws: `OptionError` for an unknown contract.
  public func apply(to configuration: inout OnsideConfiguration) throws(OptionError) {
    section?.apply(to: &configuration)
    if let contract: OnsideContract = try choice(.onsideContract) { configuration.settings.contract = contract }
  }

  /// Checks the store's section of the file against the catalogue (a separate file).
  ///
  /// - Throws: `OptionError` with the place of a product that the catalogue lacks.
  public func check(with configuration: OnsideConfiguration) throws(OptionError) {
    try section?.check(with: configuration.catalogue)
  }

  private var section: OnsideSection? { file?.bridges[OnsideDefinition.self]?.section }
}
