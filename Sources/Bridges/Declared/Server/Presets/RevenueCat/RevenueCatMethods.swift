import BridgeServer
import Sessions

extension PresetReader {
  /// RevenueCat's SDK as a plugin of Capacitor (purchases-capacitor 13.4.1, `PurchasesPlugin.swift` and `RevenueCatUIPlugin.swift`).
  static let revenueCat = PresetReader(
    wire: "capacitor",
    read: { members throws(OptionError) in
      let options = try RevenueCatOptions(members)
      return { RevenueCatHost(options, $0) }
    },
    keys: RevenueCatOptions.keys,
    plugins: [
      RevenueCatHost.plugin: methods(promises, "promise") + methods(callbacks, "callback") + methods(others, nil),
      RevenueCatHost.paywalls: methods(
        [
          "presentPaywall", "presentPaywallIfNeeded", "presentCustomerCenter", "resumePurchaseInitiated",
          "resumePurchaseLogicPurchase", "resumePurchaseLogicRestore",
        ], "promise"),
    ])

  private static func methods(_ names: [String], _ result: String?) -> [PluginMethod] {
    names.map { PluginMethod(name: $0, result: result) }
  }

  private static let callbacks = [
    "setLogHandler", "addCustomerInfoUpdateListener", "addShouldPurchasePromoProductListener",
  ]

  private static let promises = [
    "beginRefundRequestForActiveEntitlement", "beginRefundRequestForEntitlement", "beginRefundRequestForProduct",
    "canMakePayments", "checkTrialOrIntroductoryPriceEligibility", "getAppUserID", "getCachedVirtualCurrencies",
    "getCurrentOfferingForPlacement", "getCustomerInfo", "getEligibleWinBackOffersForPackage",
    "getEligibleWinBackOffersForProduct", "getOfferings", "getProducts", "getPromotionalOffer", "getStorefront",
    "getVirtualCurrencies", "isAnonymous", "isConfigured", "logIn", "logOut", "parseAsWebPurchaseRedemption",
    "purchaseDiscountedPackage", "purchaseDiscountedProduct", "purchasePackage", "purchasePackageWithWinBackOffer",
    "purchaseProductWithWinBackOffer", "purchaseStoreProduct", "purchaseSubscriptionOption", "recordPurchase",
    "redeemWebPurchase", "removeCustomerInfoUpdateListener", "removeShouldPurchasePromoProductListener",
    "restorePurchases", "syncAttributesAndOfferingsIfNeeded", "syncPurchases",
  ]

  private static let others = [
    "collectDeviceIdentifiers", "configure", "enableAdServicesAttributionTokenCollection",
    "invalidateCustomerInfoCache", "invalidateVirtualCurrenciesCache", "overridePreferredUILocale",
    "presentCodeRedemptionSheet", "setAd", "setAdGroup", "setAdjustID", "setAirshipChannelID", "setAppsflyerID",
    "setAttributes", "setCampaign", "setCleverTapID", "setCreative", "setDisplayName", "setEmail", "setFBAnonymousID",
    "setFinishTransactions", "setFirebaseAppInstanceID", "setKeyword", "setLogLevel", "setMediaSource",
    "setMixpanelDistinctID", "setMockWebResults", "setMparticleID", "setOnesignalID", "setOnesignalUserID",
    "setPhoneNumber", "setProxyURL", "setPushToken", "setSimulatesAskToBuyInSandbox", "showInAppMessages",
    "syncObserverModeAmazonPurchase", "trackCustomPaywallImpression",
  ]
}
