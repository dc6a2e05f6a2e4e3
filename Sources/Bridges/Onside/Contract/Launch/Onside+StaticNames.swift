public import BridgeCore

// The names of the vendor's pages, as host code for iOS uses them. Each works for the current session.

/// The actor that owns host code. See `GBGBridge.MainActor`.
public typealias MainActor = BridgeActor

/// Shows a page.
public typealias WKWebView = WebView

extension Onside {
  /// The scheme of the app's callback URLs (vendor's installation guide). The simulated login never leaves the app, so nothing calls back.
  public static var callbackScheme: String?

  /// Initializes OnsideKit (vendor's installation guide). Reports a missing current session. It has no other effect: a session is ready
  /// when it is created.
  public static func initialize() {
    _ = forEntry("Onside.initialize()")
  }

  /// Initializes OnsideKit for local testing (vendor's installation guide). The products are those of the session, whatever the name of the
  /// file.
  public static func initialize(storeKitConfigurationName: String) {
    forEntry("Onside.initialize(storeKitConfigurationName:)").settings.localTesting = true
  }

  /// Handles a callback URL.
  ///
  /// - Returns: Whether its scheme is ``callbackScheme``.
  @discardableResult
  public static func handle(url: URL) -> Bool {
    guard let scheme = url.scheme, let callbackScheme else { return false }
    return scheme.lowercased() == callbackScheme.lowercased()
  }

  /// The app's delegate. Held weakly.
  public static var delegate: (any OnsideDelegate)? {
    get { forEntry("Onside.delegate").delegate }
    set { forEntry("Onside.delegate").delegate = newValue }
  }

  /// How native screens look. `Onside.appearance().setThemeMode(.dark)` sets the theme.
  public static func appearance() -> OnsideAppearance {
    OnsideAppearance(onside: forEntry("Onside.appearance()"))
  }

  /// The payment queue (purchasing guide).
  public static func defaultPaymentQueue() -> OnsidePaymentQueue {
    forEntry("Onside.defaultPaymentQueue()").defaultPaymentQueue()
  }

  /// The payment queue, under the name that the products guide uses.
  public static func paymentQueue() -> OnsidePaymentQueue {
    forEntry("Onside.paymentQueue()").defaultPaymentQueue()
  }

  /// Makes a request for products (products guide, step 1). Keep it until it has finished.
  public static func makeProductsRequest(productIdentifiers: Set<String>) -> OnsideProductsRequest {
    forEntry("Onside.makeProductsRequest(productIdentifiers:)").makeProductsRequest(
      productIdentifiers: productIdentifiers)
  }

  /// Makes a request for the signed history (purchasing guide, "SDK API"). Keep it until it has finished.
  ///
  /// - Returns: The request, or `notLoggedIn` or `notSupportedInLocalTesting`.
  public static func makeSignedInAppsHistoryRequest()
    -> Result<OnsideSignedInAppsHistoryRequest, OnsideSignedInAppsHistoryRequestError>
  {
    forEntry("Onside.makeSignedInAppsHistoryRequest()").makeSignedInAppsHistoryRequest()
  }

  /// Signs in with the login sheet (bridge reference, "requestLogin").
  ///
  /// - Parameter completion: Called when the person has signed in or dismissed the sheet.
  public static func requestLogin(completion: (@BridgeActor (Result<Void, OnsideLoginError>) -> Void)? = nil) {
    let onside = forEntry("Onside.requestLogin(completion:)")
    BridgeActor.begin {
      do throws(OnsideLoginError) {
        try await onside.requestLogin()
        completion?(.success(()))
      } catch {
        completion?(.failure(error))
      }
    }
  }

  /// Signs out (bridge reference, "logout").
  public static func logout() {
    forEntry("Onside.logout()").logout()
  }

  /// Shows the payment methods (bridge reference, "presentPaymentMethodsManager").
  ///
  /// - Parameter completion: Called when the person has closed the sheet, or with the reason why it was not shown.
  public static func presentPaymentMethodsManager(
    completion: (@BridgeActor (Result<Void, OnsidePaymentMethodsManagerError>) -> Void)? = nil
  ) {
    let onside = forEntry("Onside.presentPaymentMethodsManager(completion:)")
    BridgeActor.begin {
      do throws(OnsidePaymentMethodsManagerError) {
        try await onside.presentPaymentMethodsManager()
        completion?(.success(()))
      } catch {
        completion?(.failure(error))
      }
    }
  }

  /// Returns where the install came from (bridge reference, "getAttributionMetadata").
  public static func getAttributionMetadata(
    completion: @escaping @BridgeActor (Result<OnsideAttributionMetadata, OnsideAttributionMetadataError>) -> Void
  ) {
    let onside = forEntry("Onside.getAttributionMetadata(completion:)")
    BridgeActor.begin {
      do throws(OnsideAttributionMetadataError) {
        completion(.success(try await onside.attributionMetadata()))
      } catch {
        completion(.failure(error))
      }
    }
  }

  /// Tracks an event (bridge reference, "trackEvent").
  public static func trackEvent(name: String, parameters: [String: JSONValue] = [:]) {
    forEntry("Onside.trackEvent(name:parameters:)").trackEvent(name: name, parameters: parameters)
  }
}
