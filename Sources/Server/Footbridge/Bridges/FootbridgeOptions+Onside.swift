import BridgeRuntime
public import OnsideKit
public import OnsideServer
public import Sessions

extension FootbridgeOptions {
  /// The store: catalogue, accounts and settings.
  public var onside: OnsideConfiguration {
    get { bridges[OnsideDefinition.self]?.configuration ?? OnsideConfiguration() }
    set { bridges.change(OnsideDefinition.self) { $0.configuration = newValue } }
  }

  /// Called with OnsideKit of each launch of a session, before its first page. A program adds its transaction observers here, or sets the
  /// session as `Onside.current`. An observer resumes the payment queue, even without a page.
  public var onLaunch: (@Sendable @BridgeActor (Onside) -> Void)? {
    get { bridges[OnsideDefinition.self]?.onLaunch }
    set { bridges.change(OnsideDefinition.self) { $0.onLaunch = newValue } }
  }

  /// The credentials of the publisher's backend at the Merchant API.
  public var merchant: MerchantCredentials {
    get { bridges[OnsideDefinition.self]?.merchant ?? MerchantCredentials() }
    set { bridges.change(OnsideDefinition.self) { $0.merchant = newValue } }
  }
}

/// The options of the store.
extension OptionSources {
  /// Applies the options of the store to `configuration`.
  ///
  /// - Throws: `OptionError` for an unknown contract.
  public func apply(to configuration: inout OnsideConfiguration) throws(OptionError) {
    section?.apply(to: &configuration)
    try OnsideOptions.apply(values, to: &configuration)
  }

  /// Checks the store's section of the file against the catalogue (a separate file).
  ///
  /// - Throws: `OptionError` with the place of a product that the catalogue lacks, or of an error that a call cannot have in the contract.
  public func check(with configuration: OnsideConfiguration) throws(OptionError) {
    try section?.check(with: configuration.catalogue)
    do throws(OnsideSettingsError) {
      try configuration.settings.checkErrors()
    } catch {
      throw OptionError("onside.calls in \(file?.path ?? "the configuration"): \(error.description)")
    }
  }

  private var section: OnsideSection? { file?.bridges[OnsideDefinition.self]?.section }
}
