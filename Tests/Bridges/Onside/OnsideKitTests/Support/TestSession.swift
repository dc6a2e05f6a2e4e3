import BridgeCore
import BridgeRuntime
import Foundation

@testable import OnsideKit

/// A session under test: launches over one durable state, with a clock that stands still and a scripted presenter.
@BridgeActor
final class TestSession {
  nonisolated static let germany = OnsideAccount(
    id: "de", name: "Uta Muster", email: "uta@example.de", countryCode: "DE")
  nonisolated static let spain = OnsideAccount(id: "es", name: "Ana Prueba", email: "ana@example.es", countryCode: "ES")

  let clock = ManualBridgeClock()
  let changes = Changes()
  let presenter: ScriptedPresenter
  let configuration: OnsideConfiguration
  private let signer: (any HistorySigner)?
  private let random = BridgeRandom(seed: 1)
  private(set) var onside: Onside
  /// What the store has.
  private(set) var stored: OnsideState?
  /// The ledgers that the store has had, oldest first.
  private(set) var ledgers = [OnsideLedger()]

  init(
    _ configuration: OnsideConfiguration? = nil,
    account: String? = nil,
    signer: (any HistorySigner)? = nil,
    roundTrip: Duration = .zero,
    change: (inout OnsideSettings) -> Void = { _ in }
  ) {
    var configuration = configuration ?? TestSession.configuration()
    // The tests of the queue look at each step.
    configuration.roundTrip = roundTrip
    change(&configuration.settings)
    self.configuration = configuration
    self.signer = signer
    presenter = ScriptedPresenter(changes: changes)
    onside = Onside(
      configuration: Shared(wrappedValue: configuration), clock: clock, random: random, presenter: presenter)
    launch()
    if let account { onside.signIn(account: account) }
  }

  /// Ends the launch and starts another one over what the store has.
  func launch() {
    onside.terminate()
    onside = Onside(
      configuration: Shared(wrappedValue: configuration), state: stored, clock: clock, random: random,
      presenter: presenter, historySigner: signer,
      onStateChange: { [weak self] state in
        self?.stored = state
        self?.ledgers.append(state.ledger)
        self?.changes.note()
      })
  }

  /// Opens a page.
  func page() -> TestPage { TestPage(onside, clock: clock, changes: changes) }

  /// Opens a page that has loaded all products.
  func loadedPage() async throws -> TestPage {
    let page = page()
    let identifiers = configuration.catalogue.products.map { JSONValue.string($0.id) }
    try await page.call("loadProducts", ["productIdentifiers": .array(identifiers)])
    return page
  }

  /// Two accounts, and a catalogue with one product of each kind. In Spain the coins cost more, and the sticker is not sold.
  nonisolated static func configuration() -> OnsideConfiguration {
    func product(
      _ id: String, _ type: CatalogueProductType, _ price: Decimal, _ subscription: CatalogueSubscription? = nil
    )
      -> CatalogueProduct
    {
      CatalogueProduct(
        id: id, type: type, price: price, referenceName: id, internalID: nil,
        localizations: [
          CatalogueLocalization(locale: "en_US", displayName: "\(id) in English", description: ""),
          CatalogueLocalization(locale: "de_DE", displayName: "\(id) auf Deutsch", description: ""),
        ],
        subscription: subscription)
    }
    func subscription(
      _ level: Int, _ offer: CatalogueOffer? = nil, period: OnsidePeriod = .month(1),
      promotional: [CatalogueOffer] = [], winBack: [CatalogueOffer] = []
    ) -> CatalogueSubscription {
      CatalogueSubscription(
        groupIdentifier: "club", groupNumber: level, period: period, introductoryOffer: offer,
        promotionalOffers: promotional, winBackOffers: winBack)
    }
    let introductory = CatalogueOffer(
      offerID: nil, paymentMode: .payAsYouGo, price: 1, period: .month(1), numberOfPeriods: 2)
    let loyal = CatalogueOffer(
      offerID: "loyal", paymentMode: .payAsYouGo, price: 4, period: .month(1), numberOfPeriods: 2)
    let back = CatalogueOffer(offerID: "back", paymentMode: .free, price: 0, period: .month(1), numberOfPeriods: 3)
    return OnsideConfiguration(
      catalogue: Catalogue(products: [
        product("coins", .consumable, Decimal(priceText: "0.99") ?? 0),
        product("sticker", .nonConsumable, 5),
        product("pass", .nonRenewingSubscription, 20),
        product("gold", .recurringSubscription, 20, subscription(1, introductory)),
        product(
          "silver", .recurringSubscription, 10, subscription(2, promotional: [loyal], winBack: [back])),
      ]),
      accounts: [germany, spain],
      regionalTerms: [
        "coins": ["ES": OnsideRegionalTerms(price: Decimal(priceText: "1.09"))],
        "sticker": ["ES": OnsideRegionalTerms(isAvailable: false)],
      ],
      systemRegion: "DE"
    )
  }
}
