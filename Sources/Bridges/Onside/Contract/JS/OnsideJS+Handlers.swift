import BridgeCore
import BridgeRuntime
import Essentials
import InAppPurchases

extension OnsideJS {
  /// The functions of `window.onside` by their actions. All pages share them.
  static let functions: [String: OnsideFunction] = {
    var functions: [String: OnsideFunction] = [:]
    func on(_ call: OnsideCall, _ body: @escaping OnsideFunction.Body) {
      functions[call.action] = OnsideFunction(call: call, body: body)
    }
    defineSetters(on)
    defineAccountFunctions(on)
    definePurchaseFunctions(on)
    defineInformation(on)
    return functions
  }()

  private typealias Definition = (OnsideCall, @escaping OnsideFunction.Body) -> Void

  // MARK: Setters

  private static func defineSetters(_ on: Definition) {
    on(.initializeOnside) { page, arguments, responder throws(OnsideArguments.Failure) in
      let version = try arguments.string("version")
      guard version == "v1" else { throw OnsideArguments.Failure(message: "version must be \"v1\", the only version.") }
      if page.onside.launch.takeInitializationError() {
        return responder.fail("reason", message: "initializeOnside fails because a test has set this error.")
      }
      responder.succeed()
    }
    on(.setAppearance) { page, arguments, responder throws(OnsideArguments.Failure) in
      guard let theme = OnsideUIThemeMode(rawValue: try arguments.string("theme")) else {
        throw OnsideArguments.Failure(message: "theme must be \"light\", \"dark\" or \"system\".")
      }
      page.onside.appearance = theme
      responder.succeed()
    }
    on(.setShouldForceLocalLoginMethods) { page, arguments, responder throws(OnsideArguments.Failure) in
      page.onside.shouldForceLocalLoginMethods = try arguments.bool("force")
      responder.succeed()
    }
    on(.setDefaultCountryCodeAssumption) { page, arguments, responder throws(OnsideArguments.Failure) in
      let code = try arguments.string("countryCode")
      // Text that cannot be a country code counts as none.
      page.onside.defaultCountryCodeAssumption = code.utf8.count <= OnsideLimits.countryCodeBytes ? code : ""
      responder.succeed()
    }
  }

  // MARK: Account

  private static func defineAccountFunctions(_ on: Definition) {
    on(.requestLogin) { page, _, responder in page.asAsker { page.requestLogin(responder) } }
    on(.presentPaymentMethodsManager) { page, _, responder in page.asAsker { page.presentPaymentMethods(responder) } }
    on(.logout) { page, _, responder in
      page.onside.logout()
      responder.succeed()
    }
    on(.getCurrentStorefront) { page, _, responder in
      responder.succeed(["storefront": page.onside.defaultPaymentQueue().storefront?.json ?? .null])
    }
  }

  // MARK: Products and purchases

  private static func definePurchaseFunctions(_ on: Definition) {
    on(.loadProducts) { page, arguments, responder throws(OnsideArguments.Failure) in
      page.loadProducts(try arguments.strings("productIdentifiers"), responder)
    }
    on(.purchase) { page, arguments, responder throws(OnsideArguments.Failure) in
      let identifier = try arguments.string("productIdentifier")
      let token = try arguments.optionalString("appAccountToken")
      guard token?.utf8.count ?? 0 <= OnsideLimits.tokenBytes else {
        throw OnsideArguments.Failure(message: "appAccountToken may have at most \(OnsideLimits.tokenBytes) bytes.")
      }
      page.purchase(identifier, appAccountToken: token, responder)
    }
    on(.restoreCompletedTransactions) { page, _, responder in page.restore(responder) }
    on(.getTransactions) { page, _, responder in
      responder.succeed(text: page.onside.defaultPaymentQueue().transactionsAnswer())
    }
    on(.finishTransaction) { page, arguments, responder throws(OnsideArguments.Failure) in
      let id = UUID(uuidString: try arguments.string("id"))
      do throws(InAppError) {
        // Resolve the promise before the removal.
        try page.store.finish(entry: id, accepted: { responder.succeed() })
      } catch {
        responder.fail(JSFinishTransactionError.unknownTransaction)
      }
    }
  }

  // MARK: Attribution, history, events

  private static func defineInformation(_ on: Definition) {
    on(.trackEvent) { page, arguments, responder throws(OnsideArguments.Failure) in
      page.onside.trackEvent(name: try arguments.string("name"), parameters: try arguments.optionalObject("parameters"))
      responder.succeed()
    }
    on(.getAttributionMetadata) { page, _, responder in
      BridgeActor.begin {
        do throws(OnsideAttributionMetadataError) {
          let text = try await page.onside.attributionMetadata().text
          responder.succeed(text.map { ["refererUrl": .string($0)] } ?? [:])
        } catch {
          responder.fail(error)
        }
      }
    }
    on(.getSignedInAppsHistory) { page, _, responder in
      let end = page.onside.launch.endOfDelay(.getSignedInAppsHistory)
      BridgeActor.begin {
        switch await page.onside.launch.signedHistory(at: end) {
        case .failure(let error): responder.fail(error)
        case .success(let history):
          var data: [String: JSONValue] = ["dataBase64": .string(history.data.base64EncodedString())]
          if let string = history.string { data["string"] = .string(string) }
          responder.succeed(data)
        }
      }
    }
  }
}
