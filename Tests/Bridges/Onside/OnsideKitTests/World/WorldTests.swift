import BridgeCore
import BridgeRuntime
import Testing

@testable import OnsideKit

/// Two devices of one account.
@BridgeActor
struct WorldTests {
  private let phone: TestSession
  private let tablet: TestSession
  private let world: OnsideWorld

  init() {
    phone = TestSession(account: "de") { $0.disableDialogs = true }
    tablet = TestSession(account: "de") { $0.disableDialogs = true }
    world = OnsideWorld(name: "family", of: phone.onside.state)
    phone.onside.join(world, as: "phone")
    tablet.onside.join(world, as: "tablet")
  }

  private func buy(_ product: String, on session: TestSession, account: String = "de") throws -> String {
    let purchase = session.onside.seedPurchase(
      of: product, account: account, purchasedAt: session.clock.now, isFinished: true)
    return try #require(purchase).id
  }

  /// What a restore brings to a page of this device.
  private func restored(on session: TestSession) async throws -> [JSONValue?] {
    let page = session.page()
    let count = page.callbacks("onRestoreCompletedTransactionsFinished").count
    try await page.call("restoreCompletedTransactions")
    await page.callback("onRestoreCompletedTransactionsFinished", count: count + 1)
    return try await page.transactions().map { $0["payment"]?["product"]?["productIdentifier"] }
  }

  @Test func `a second device restores what the first one bought, and has it in its history`() async throws {
    let order = try buy("sticker", on: phone)
    #expect(try await restored(on: tablet) == ["sticker"])
    #expect(tablet.onside.defaultPaymentQueue().transactions.first?.transactionIdentifier == order)
    #expect(tablet.onside.transactionHistory(ofOrder: order) != nil)
    // Transactions belong to the device.
    #expect(phone.onside.defaultPaymentQueue().transactions.isEmpty)
  }

  @Test func `family sharing gives shareable products to each device until a refund`() async throws {
    var configuration = TestSession.configuration()
    configuration.accounts = ["uta", "ben", "ana"].map {
      OnsideAccount(
        id: $0, name: $0, email: "\($0)@example.de", countryCode: "DE", family: $0 == "ana" ? nil : "muster")
    }
    configuration.catalogue = Catalogue(
      products: configuration.catalogue.products.map { product in
        var product = product
        product.isFamilyShareable = product.id != "silver"
        return product
      })
    let sessions = [TestSession(configuration, account: "uta"), TestSession(configuration, account: "ben")]
    let world = OnsideWorld(name: "muster", of: sessions[0].onside.state)
    for session in sessions { session.onside.join(world, as: "device") }
    let order = try buy("sticker", on: sessions[0], account: "uta")
    for product in ["coins", "silver"] { _ = try buy(product, on: sessions[0], account: "uta") }
    #expect(try await restored(on: sessions[1]) == ["sticker"])
    #expect(sessions[1].onside.launch.restorable(for: "ana").isEmpty)
    let former = sessions[1].onside.state.ledger
    #expect(sessions[1].onside.refund(order: order))
    let changes = sessions[1].onside.state.ledger.changes(since: former, grace: { _ in 0 })
    let revocations = changes.flatMap(sessions[1].onside.revocations)
    #expect(changes.map(\.kind) == [.refunded])
    #expect(revocations.map(\.kind) == [.revoked] && revocations.first?.order.id == order)
    #expect(sessions[1].onside.launch.restorable(for: "ben").isEmpty)
    #expect(sessions[0].onside.launch.restorable(for: "uta").map(\.productIdentifier) == ["silver"])
  }

  @Test func `buying an owned product on the other device costs nothing`() async throws {
    let order = try buy("sticker", on: phone)
    let page = try await tablet.loadedPage()
    try await page.call("purchase", ["productIdentifier": "sticker"])
    _ = await page.states(2)
    await tablet.changes.until { page.states.last == "purchased" }
    #expect(tablet.onside.ledger.purchases.map(\.id) == [order])
  }

  @Test func `a refund on one device applies to the other`() throws {
    let order = try buy("sticker", on: phone)
    #expect(tablet.onside.refund(order: order))
    #expect(!phone.onside.refund(order: order))
    #expect(phone.onside.launch.restorable(for: "de").isEmpty)
  }

  @Test func `a subscription renews once for both devices`() throws {
    tablet.onside.settings.timeRate = .oneRenewalEveryTenSeconds
    #expect(phone.onside.settings.timeRate == .oneRenewalEveryTenSeconds)
    let order = try buy("silver", on: phone)
    for session in [phone, tablet] { session.clock.advance(by: .seconds(15)) }
    #expect(tablet.onside.ledger.purchases.count == 2)
    #expect(phone.onside.ledger == tablet.onside.ledger)
    #expect(tablet.onside.cancelSubscription(order: order))
    #expect(phone.onside.state.ledger.subscriptions.first?.renewsAutomatically == false)
  }

  @Test func `an account that moves has its new country on both devices`() {
    #expect(phone.onside.move(account: "de", to: "FR"))
    #expect(tablet.onside.account?.countryCode == "FR")
    #expect(tablet.onside.defaultPaymentQueue().storefront?.countryCode == "FR")
  }

  @Test func `both devices store the same version of the world`() throws {
    var followed: [String?] = []
    let watch = Onside(
      configuration: Shared(wrappedValue: phone.configuration), clock: phone.clock, random: BridgeRandom(),
      presenter: phone.presenter, onStateChange: { _ in followed.append(self.watcher.onside?.followedDevice) })
    watcher.onside = watch
    watch.join(world, as: "watch")
    _ = try buy("coins", on: tablet)
    #expect(followed == [nil, "tablet"] || followed == ["tablet"])
    #expect(phone.stored?.world == tablet.stored?.world)
    #expect(phone.stored?.common == tablet.stored?.common)
    #expect(phone.stored?.world?.version.isEmpty == false)
    #expect(world.deviceNames == ["phone", "tablet", "watch"])
    watch.terminate()
    #expect(world.deviceNames == ["phone", "tablet"])
  }

  private let watcher = Watcher()

  @Test func `a rollback on one device applies to all and reports no change`() throws {
    let stored = try #require(phone.stored)
    let order = try buy("sticker", on: phone)
    #expect(tablet.onside.ledger[order] != nil)
    phone.onside.rollBack(to: stored)
    #expect(tablet.onside.ledger[order] == nil)
    #expect(tablet.stored?.world == stored.world)
    #expect(phone.stored != stored)
  }

  @Test func `a world starts from the newest state that any of its sessions stored`() throws {
    let order = try buy("sticker", on: phone)
    let stored = try #require(tablet.stored)
    let again = OnsideWorld(name: "family", of: stored)
    #expect(again.joined(by: OnsideState(settings: OnsideSettings())).ledger[order] != nil)
    #expect(again.joined(by: stored) == stored)
  }

  @Test func `a new device gets the accounts' state and none of the app's`() throws {
    _ = try buy("sticker", on: phone)
    phone.onside.noteVisit(url: "https://example.com/", referrer: "")
    _ = phone.onside.seedTransaction(of: "coins", account: "de", .awaitingApproval)
    for state in [phone.onside.state.ofNewDevice, phone.onside.state.reinstalled] {
      #expect(state.common == phone.onside.state.common)
      #expect(state.world == phone.onside.state.world)
      #expect(state.account == nil && state.firstVisit == nil && state.transactions.isEmpty)
      #expect(state.settings.disableDialogs)
    }
  }

  @Test func `a reset clears a session's own world, and not a shared one`() throws {
    _ = try buy("sticker", on: phone)
    let new = OnsideState(settings: OnsideSettings())
    #expect(phone.onside.state.reset(to: new).ledger.purchases.count == 1)
    let alone = TestSession(account: "de")
    _ = try buy("sticker", on: alone)
    #expect(alone.onside.state.reset(to: new) == new)
    #expect(alone.onside.state.reinstalled.ledger.purchases.count == 1)
  }

  @Test func `an exported session has a world of its own with all orders`() throws {
    let order = try buy("sticker", on: phone)
    let carried = tablet.onside.state.carried
    #expect(carried.world == nil)
    #expect(carried.ledger[order] != nil)
  }
}

/// A launch that its own callbacks ask.
@BridgeActor
private final class Watcher {
  weak var onside: Onside?
}
