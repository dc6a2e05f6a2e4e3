import BridgeCore
import OnsideKit
import Testing

/// The app of CustomApp.swift, on sessions that the test names as current.
@Suite @BridgeActor struct CustomAppTests {
  private let person = Person()

  private func withStore(_ body: @BridgeActor (Shop, TransactionStore) async throws -> Void) async throws {
    try await Onside.withCurrent(try storeSession(of: person)) {
      let (shop, store) = (Shop(), TransactionStore())
      store.start()
      shop.reload(["coins", "monthly"])
      await until { !shop.isLoading }
      try await body(shop, store)
    }
  }

  @Test func `a screen's theme is the delegate's, else the appearance's`() async throws {
    try await withStore { shop, store in
      let customization = StoreCustomization()
      customization.apply()
      shop.buy(try #require(shop.products.first))
      await until { store.receipts.last?.hasPrefix("purchased") == true }
      #expect(person.themes == ["login": "light", "payment": "dark"])
      #expect(customization.asked == [.login, .payment])
      Onside.appearance().setThemeMode(.auto)
      Onside.presentPaymentMethodsManager()
      #expect(Onside.current?.appearance == .auto)
    }
  }

  @Test func `transactions have UUIDs, which pages get as lower-case text`() async throws {
    try await withStore { shop, store in
      shop.buy(try #require(shop.products.first))
      await until { store.receipts.last?.hasPrefix("purchased in US: ") == true }
      let transaction = try #require(store.open.values.first)
      #expect(transaction.id.uuidString.lowercased() == transaction.id.text)
      #expect(store.receipts.first == "purchasing in US: no order")
      store.finish(id: "no UUID")
      store.finish(id: transaction.id.uuidString)
      await until { store.isOver }
    }
  }

  @Test func `a restore works without a completion, and a removed observer gets no call`() async throws {
    try await withStore { shop, store in
      shop.buy(try #require(shop.products.first))
      await until { store.receipts.last?.hasPrefix("purchased") == true }
      store.finish(id: try #require(store.open.keys.first).uuidString)
      await until { store.isOver }
      store.restore()
      await until { store.receipts.last?.hasPrefix("restored") == true }
      #expect(Onside.paymentQueue().transactionObservers.count == 1)
      store.stop()
      #expect(Onside.paymentQueue().transactionObservers.isEmpty)
    }
  }

  @Test func `a product has its price, its period and its introductory offer`() async throws {
    try await withStore { shop, _ in
      let labels = shop.products.map(ProductLabel.init)
      #expect(labels.map(\.price) == ["1 USD", "4.99 USD for 1 month(s)"])
      #expect(labels.map(\.offer) == [nil, "free for 1 week(s)"])
    }
  }

  @Test func `a stopped request fails as cancelled`() async throws {
    try await withStore { shop, _ in
      shop.reload(["coins"])
      shop.giveUp()
      #expect(shop.error == .cancelled)
      #expect(!shop.isLoading)
    }
  }

  @Test func `a payment can be changed, and a delegate can refuse it asynchronously`() async throws {
    try await withStore { shop, store in
      let question = StorefrontQuestion()
      Onside.defaultPaymentQueue().delegate = question
      var payment = OnsidePayment(product: try #require(shop.products.first))
      payment.product = try #require(shop.products.last)
      Onside.defaultPaymentQueue().add(payment, completion: nil)
      await until { store.receipts.contains { $0.hasPrefix("failed") } || store.isOver }
      #expect(question.asked == ["monthly in US"])
    }
  }
}
