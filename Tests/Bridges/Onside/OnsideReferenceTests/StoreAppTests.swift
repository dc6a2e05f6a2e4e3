import BridgeCore
import OnsideKit
import Testing

/// The app of StoreApp.swift, on sessions that the test names as current.
@Suite @BridgeActor struct StoreAppTests {
  private let person = Person()

  private func makeSession() throws -> Onside { try storeSession(of: person) }

  @Test func `an app loads products, buys one, finishes it and restores it`() async throws {
    try await Onside.withCurrent(try makeSession()) {
      let app = StoreAppDelegate()
      app.applicationDidFinishLaunching()
      let list = ProductList()
      list.fetchProducts()
      await until { list.isFinished }
      #expect(list.unknown == ["nothing"])
      let product = try #require(list.products.first)
      #expect(product.price.currencyCode == "EUR")

      var outcome: [OnsidePaymentQueueAddProductError?] = []
      list.buy(product, for: "person-7") { outcome.append($0) }
      await until { app.observer.removed == 1 }
      #expect(outcome == [nil])
      #expect(app.observer.owned == ["coins"])
      #expect(app.observer.storefront?.countryCode == "US")
      #expect(Onside.current?.ledger.purchases.first?.appAccountToken == "person-7")

      app.observer.restore()
      await until { app.observer.removed == 2 }
      await until { !app.observer.isRestoring }
      #expect(app.observer.lastError == nil)
      withExtendedLifetime(app) {}
    }
  }

  @Test func `a dismissed login fails every call that needs a login`() async throws {
    try await Onside.withCurrent(try makeSession()) {
      let app = StoreAppDelegate()
      app.applicationDidFinishLaunching()
      person.approves = false
      let list = ProductList()
      list.fetchProducts()
      await until { list.isFinished }
      var outcome: [OnsidePaymentQueueAddProductError?] = []
      list.buy(try #require(list.products.first), for: "") { outcome.append($0) }
      await until { !outcome.isEmpty }
      #expect(outcome == [.loginDiscarded])
      app.observer.restore()
      await until { app.observer.lastError == "loginDiscarded" }
      let screen = AccountScreen()
      screen.logIn()
      screen.showPaymentMethods()
      await until { screen.log.count == 2 }
      #expect(screen.log == ["discarded", "loginDiscarded"])
    }
  }

  @Test func `the app's delegate decides about login methods and payments in another storefront`() async throws {
    let onside = try makeSession()
    try await Onside.withCurrent(onside) {
      let app = StoreAppDelegate()
      app.applicationDidFinishLaunching()
      let list = ProductList()
      list.fetchProducts()
      await until { list.isFinished }
      let priceGuard = PriceGuard()
      priceGuard.continues = false
      Onside.defaultPaymentQueue().delegate = priceGuard
      list.buy(try #require(list.products.first), for: "") { _ in }
      await until { app.observer.removed == 1 }
      #expect(priceGuard.asked == ["US"])
      #expect(app.observer.owned.isEmpty)
      #expect(!person.methods.isEmpty && person.methods.allSatisfy { $0 == "sms" || $0 == "email" })
    }
  }

  @Test func `a history request delivers its token once an account is signed in`() async throws {
    let onside = try makeSession()
    await Onside.withCurrent(onside) {
      let upload = HistoryUpload()
      upload.start()
      #expect(upload.problem == .notLoggedIn)
      let screen = AccountScreen()
      screen.logIn()
      await until { screen.log == ["logged in"] }
      upload.start()
      await until { upload.sent != nil }
      #expect(upload.sent == Data("a.b.c".utf8))
      screen.attribute()
      await until { screen.log.last == "ads.example" }
      screen.logOut()
      #expect(Onside.paymentQueue().storefront == nil)
    }
  }

  @Test func `a web view gets window.onside of the current session once`() async throws {
    let onside = try makeSession()
    Onside.withCurrent(onside) {
      let store = WebStore()
      OnsideJS.configureOnsideForWebView(store.webView)
      let call: JSONValue = [
        "version": "1.0", "correlationId": "1", "type": "request", "timestamp": 1,
        "payload": ["action": "onside.setDefaultCountryCodeAssumption", "data": ["countryCode": "ES"]],
      ]
      store.webView.configuration.userContentController.post(call, to: "gbgBridge")
    }
    #expect(onside.defaultCountryCodeAssumption == "ES")
    #expect(onside.defaultPaymentQueue().transactionObservers.count == 1)
  }

  @Test func `a callback URL is handled if it has the app's scheme`() throws {
    let app = StoreAppDelegate()
    Onside.withCurrent(try makeSession()) { app.applicationDidFinishLaunching() }
    #expect(app.open(try #require(URL(string: "com.Example.store://login"))))
    #expect(!app.open(try #require(URL(string: "https://example.com/"))))
  }
}

/// Both change what is the whole process's.
@Suite(.serialized) @BridgeActor struct CurrentSessionTests {
  private final class Nobody: SheetPresenter {
    func present(_ sheet: Sheet) async -> SheetAnswer { .cancel }
  }

  private func makeSession() -> Onside {
    Onside(
      configuration: Shared(wrappedValue: OnsideConfiguration()), clock: ManualBridgeClock(),
      random: BridgeRandom(seed: 1), presenter: Nobody())
  }

  @Test func `static members without a current session log it and fail as in the contract`()
    async throws
  {
    var problems: [String] = []
    let usual = Onside.onMissingSession
    Onside.onMissingSession = { problems.append($0) }
    defer { Onside.onMissingSession = usual }
    let list = ProductList()
    list.fetchProducts()
    #expect(problems.count == 1)
    #expect(problems.first?.hasPrefix("Onside.makeProductsRequest(productIdentifiers:) has no session.") == true)
    while !list.isFinished { await Task.yield() }
    #expect(list.failure == .internalError)

    let observer = TransactionObserver()
    observer.restore()
    while observer.lastError == nil { await Task.yield() }
    #expect(observer.lastError == "loginDiscarded")
    let upload = HistoryUpload()
    upload.start()
    #expect(upload.problem == .notLoggedIn)
    let screen = AccountScreen()
    screen.attribute()
    while screen.log.isEmpty { await Task.yield() }
    #expect(screen.log == ["internalError"])
    #expect(problems.count == 4)
  }

  @Test func `a session made current is current for the whole process until its launch ends`() async {
    let (named, scoped) = (makeSession(), makeSession())
    Onside.current = named
    #expect(await Task.detached { await Onside.current === named }.value)
    await Onside.withCurrent(scoped) {
      #expect(Onside.current === scoped)
      let task = Task { Onside.current === scoped }
      #expect(await task.value)
    }
    #expect(Onside.current === named)
    scoped.terminate()
    #expect(Onside.current === named)
    named.terminate()
    #expect(Onside.current == nil)
  }
}
