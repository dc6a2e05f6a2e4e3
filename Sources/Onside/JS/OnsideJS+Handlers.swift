import BridgeCore
import BridgeRuntime
import Foundation

extension OnsideJS {
  /// Registers one handler for each function of `window.onside`.
  func registerHandlers(on host: BridgeHost) {
    func on(
      _ call: OnsideCall,
      _ body: @escaping (OnsideArguments, OnsideResponder) throws(OnsideArguments.Failure) -> Void
    ) {
      host.register(handler: OnsideHandler(call, launch: onside.launch, body: body))
    }
    registerSetters(on)
    registerAccountFunctions(on)
    registerPurchaseFunctions(on)
    registerInformation(on)
  }

  private typealias Registration = (
    OnsideCall, @escaping (OnsideArguments, OnsideResponder) throws(OnsideArguments.Failure) -> Void
  ) -> Void

  // MARK: Setters

  private func registerSetters(_ on: Registration) {
    let onside = onside
    on(.initializeOnside) { arguments, responder throws(OnsideArguments.Failure) in
      let version = try arguments.string("version")
      guard version == "v1" else { throw OnsideArguments.Failure(message: "\"v1\" is the only version.") }
      if onside.launch.takeInitializationError() {
        return responder.fail("reason", message: "OnsideKit was made to fail its initialisation.")
      }
      responder.succeed()
    }
    on(.setAppearance) { arguments, responder throws(OnsideArguments.Failure) in
      guard let theme = OnsideAppearance(rawValue: try arguments.string("theme")) else {
        throw OnsideArguments.Failure(message: "theme must be \"light\", \"dark\" or \"system\".")
      }
      onside.appearance = theme
      responder.succeed()
    }
    on(.setShouldForceLocalLoginMethods) { arguments, responder throws(OnsideArguments.Failure) in
      onside.shouldForceLocalLoginMethods = try arguments.bool("force")
      responder.succeed()
    }
    on(.setDefaultCountryCodeAssumption) { arguments, responder throws(OnsideArguments.Failure) in
      let code = try arguments.string("countryCode")
      // What is no country counts as none.
      onside.defaultCountryCodeAssumption = code.utf8.count <= OnsideLimits.countryCodeBytes ? code : ""
      responder.succeed()
    }
  }

  // MARK: Account

  private func registerAccountFunctions(_ on: Registration) {
    let onside = onside
    on(.requestLogin) { _, responder in
      Task {
        do throws(OnsideLoginError) {
          try await onside.requestLogin()
          responder.succeed()
        } catch {
          responder.fail(error)
        }
      }
    }
    on(.presentPaymentMethodsManager) { _, responder in
      Task {
        do throws(OnsidePaymentMethodsManagerError) {
          try await onside.presentPaymentMethodsManager()
          responder.succeed()
        } catch {
          responder.fail(error)
        }
      }
    }
    on(.logout) { _, responder in
      onside.logout()
      responder.succeed()
    }
    on(.getCurrentStorefront) { _, responder in
      responder.succeed(["storefront": onside.defaultPaymentQueue().storefront?.json ?? .null])
    }
  }

  // MARK: Products and purchases

  private func registerPurchaseFunctions(_ on: Registration) {
    let queue = onside.defaultPaymentQueue()
    on(.loadProducts) { [self] arguments, responder throws(OnsideArguments.Failure) in
      loadProducts(try arguments.strings("productIdentifiers"), responder)
    }
    on(.purchase) { [self] arguments, responder throws(OnsideArguments.Failure) in
      let identifier = try arguments.string("productIdentifier")
      let token = try arguments.optionalString("appAccountToken")
      guard token?.utf8.count ?? 0 <= OnsideLimits.tokenBytes else {
        throw OnsideArguments.Failure(message: "appAccountToken may have \(OnsideLimits.tokenBytes) bytes.")
      }
      purchase(identifier, appAccountToken: token, responder)
    }
    on(.restoreCompletedTransactions) { [self] _, responder in restore(responder) }
    on(.getTransactions) { _, responder in
      responder.succeed(text: queue.transactionsAnswer())
    }
    on(.finishTransaction) { arguments, responder throws(OnsideArguments.Failure) in
      let id = try arguments.string("id")
      do throws(JSFinishTransactionError) {
        // The promise first: removal follows it.
        try queue.finishTransaction(id, accepted: { responder.succeed() })
      } catch {
        responder.fail(error)
      }
    }
  }

  // MARK: Attribution, history, events

  private func registerInformation(_ on: Registration) {
    let onside = onside
    on(.trackEvent) { arguments, responder throws(OnsideArguments.Failure) in
      onside.trackEvent(name: try arguments.string("name"), parameters: try arguments.optionalObject("parameters"))
      responder.succeed()
    }
    on(.getAttributionMetadata) { _, responder in
      Task {
        do throws(OnsideAttributionMetadataError) {
          let url = try await onside.attributionMetadata().refererURL
          responder.succeed(url.map { ["refererUrl": .string($0)] } ?? [:])
        } catch {
          responder.fail(error)
        }
      }
    }
    on(.getSignedInAppsHistory) { _, responder in
      Task {
        switch await onside.launch.signedHistory() {
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
