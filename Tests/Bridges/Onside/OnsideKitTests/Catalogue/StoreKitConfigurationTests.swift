import Foundation
import Testing

@testable import OnsideKit

struct StoreKitConfigurationTests {
  private func fixture(_ name: String) throws -> StoreKitConfiguration {
    let url = try #require(Bundle.module.url(forResource: name, withExtension: "storekit", subdirectory: "Fixtures"))
    return try StoreKitConfiguration(data: Data(contentsOf: url))
  }

  private func read(_ text: String) throws(StoreKitConfigurationError) -> StoreKitConfiguration {
    try StoreKitConfiguration(data: Data(text.utf8))
  }

  private func error(_ text: String) -> String {
    do throws(StoreKitConfigurationError) {
      _ = try read(text)
      return "no error"
    } catch {
      return error.description
    }
  }

  @Test func `OnsideKit's example is read: version 4`() throws {
    let configuration = try fixture("onsidekit-example")
    #expect(
      configuration.catalogue.products.map(\.id) == [
        "com.product.example.consumable", "com.product.example.non_consumable",
      ])
    let product = try #require(configuration.catalogue["com.product.example.non_consumable"])
    #expect(product.type == .nonConsumable)
    #expect(product.price.description == "0.99")
    #expect(
      product.localizations == [
        CatalogueLocalization(
          locale: "en_US", displayName: "Non-Consumable", description: "Example of Non-Consumable product")
      ])
    #expect(configuration.settings.storefront?.alpha2 == "NL")
    #expect(configuration.settings.locale == "en_US")
    #expect(configuration.settings.timeRate == .realTime)
  }

  @Test func `JSON without products, subscriptions or groups is refused`() throws {
    for text in ["{}", #"{"name": "shop", "dependencies": {}}"#, #"{"settings": {}}"#] {
      #expect(error(text).contains("products, nonRenewingSubscriptions, subscriptionGroups"))
    }
    #expect(try read(#"{"products": []}"#).catalogue.products.isEmpty)
  }

  @Test func `a StoreKit file of version 2 is read with groups, offers and whole prices`() throws {
    let configuration = try fixture("storehelper-sample")
    #expect(configuration.catalogue["com.rarcher.consumable.plant.installation"]?.price.description == "29")
    let gold = try #require(configuration.catalogue["com.rarcher.subscription.vip.gold"]?.subscription)
    #expect(gold.groupIdentifier == "8126C4BB")
    #expect(gold.groupNumber == 1)
    #expect(gold.period == .month(1))
    #expect(
      gold.introductoryOffer
        == CatalogueOffer(
          offerID: nil, paymentMode: .payAsYouGo, price: Decimal(priceText: "1.99") ?? 0, period: .month(1),
          numberOfPeriods: 3))
    #expect(gold.promotionalOffers.map(\.offerID) == ["vip.gold.xmassale", "vip.gold.xmassale2"])
    #expect(gold.promotionalOffers.map(\.period) == [.month(3), .year(1)])
    let silver = try #require(configuration.catalogue["com.rarcher.subscription.vip.silver"]?.subscription)
    #expect(silver.introductoryOffer == nil)
    #expect(configuration.settings.errors.isEmpty)
  }

  @Test func `lists of introductory offers, win-back offers and free offers are read`() throws {
    let configuration = try read(
      """
      {"version": {"major": 5, "minor": 1}, "unknown": [{"deep": {}}], "subscriptionGroups": [{"id": "G", "subscriptions": [{
        "productID": "s", "displayPrice": "3", "type": "RecurringSubscription", "recurringSubscriptionPeriod": "P1Y",
        "introductoryOffers": [{"paymentMode": "free", "subscriptionPeriod": "P3D"}],
        "winbackOffers": [{"offerID": "w", "paymentMode": "payUpFront", "displayPrice": "1", "subscriptionPeriod": "P1M"}]
      }]}]}
      """)
    let subscription = try #require(configuration.catalogue["s"]?.subscription)
    #expect(
      subscription.introductoryOffer
        == CatalogueOffer(
          offerID: nil, paymentMode: .free, price: 0, period: .day(3), numberOfPeriods: 1))
    #expect(subscription.winBackOffers.map(\.offerID) == ["w"])
  }

  /// A file with one subscription that has these members.
  private func subscription(_ members: String, version: String = #"{"major": 4, "minor": 0}"#) -> String {
    """
    {"version": \(version), "products": [], "nonRenewingSubscriptions": [], "subscriptionGroups": [{"id": "G", "subscriptions": [{
      "productID": "s", "displayPrice": "3", "type": "RecurringSubscription", "recurringSubscriptionPeriod": "P1M", \(members)}]}]}
    """
  }

  @Test func `a StoreKit file of each version is read, the newest with billing plans`() throws {
    let free = #"{"internalID": "1", "paymentMode": "free", "subscriptionPeriod": "P3D", "displayPrice": ""}"#
    let formats = [
      ("1, 0", #""introductoryOffer": \#(free)"#), ("1, 1", #""adHocOffers": [], "introductoryOffer": \#(free)"#),
      ("1, 2", #""codeOffers": [], "introductoryOffer": \#(free)"#), ("2, 0", #""introductoryOffer": \#(free)"#),
      ("3, 0", #""familyShareable": false, "introductoryOffer": \#(free)"#),
      ("4, 0", #""introductoryOffer": \#(free), "winbackOffers": []"#),
      (
        "5, 0",
        #""billingPlans": [{"billingPlanType": "BILLED_UPFRONT", "isEnabled": true}], "introductoryOffers": [\#(free)]"#
      ),
      ("9, 9", #""introductoryOffers": [\#(free)], "unknown": {"empty": [""]}"#),
    ]
    for (version, members) in formats {
      let numbers = version.split(separator: ", ")
      let configuration = try read(
        subscription(members, version: #"{"major": \#(numbers[0]), "minor": \#(numbers[1])}"#))
      #expect(configuration.remarks.isEmpty, "\(version)")
      #expect(configuration.catalogue["s"]?.subscription?.introductoryOffer?.duration == .day(3), "\(version)")
    }
  }

  @Test func `each key that is not used gives one remark with its first place, and empty ones give none`() throws {
    let configuration = try read(
      """
      {"identifier": "1", "version": {"major": 9, "minor": 9}, "appPolicies": {"eula": "", "policies": [{"locale": "en_US", "eula": ""}]},
        "subscriptionOffersKeyPair": {"id": "5", "privateKey": "very-secret"}, "settings": {"_developerTeamID": "T", "_newSetting": true},
        "products": [{"productID": "a", "type": "Consumable", "displayPrice": "1", "tax": "A", "internalID": "7", "codeOffers": []},
          {"productID": "b", "type": "Consumable", "displayPrice": "1", "tax": "B", "localizations": [{"locale": "en", "subtitle": "x"}]}],
        "subscriptionGroups": [{"id": "G", "name": "VIP", "localizations": [{"displayName": "VIP", "locale": "en"}], "subscriptions": []}]}
      """)
    #expect(
      configuration.remarks == [
        "$.products[0].tax is not used (2 places).", "$.products[1].localizations[0].subtitle is not used.",
        "$.settings._newSetting is not used.", "$.subscriptionGroups[0].localizations is not used.",
        "$.subscriptionOffersKeyPair is not used.",
      ])
  }

  @Test func `a file with very many unknown keys gives a limited number of remarks`() throws {
    let keys = (100..<200).map { "\"key\($0)\": 1" }.joined(separator: ", ")
    let configuration = try read("{\"products\": [], \(keys)}")
    #expect(configuration.remarks.count == 51)
    #expect(configuration.remarks.last == "50 more keys are not used.")
  }

  @Test func `a monthly billing plan with a commitment is left out with a remark`() throws {
    func plan(_ type: String, _ isEnabled: String) -> String {
      #"{"billingPlanType": "\#(type)", "displayPrice": "1", "commitmentDisplayPrice": "12", "internalID": "7"\#(isEnabled)}"#
    }
    let enabled = #", "isEnabled": true"#
    let plans = [plan("BILLED_UPFRONT", enabled), plan("MONTHLY", enabled), plan("MONTHLY", #", "isEnabled": false"#)]
    let configuration = try read(subscription(#""billingPlans": [\#(plans.joined(separator: ", "))]"#))
    #expect(
      configuration.remarks == [
        "$.subscriptionGroups[0].subscriptions[0].billingPlans[1]: subscriptions are sold with the billing plan BILLED_UPFRONT alone. The plan MONTHLY is left out."
      ])
    #expect(try read(subscription(#""billingPlans": [\#(plan("MONTHLY", ""))]"#)).remarks.count == 1)
    #expect(throws: StoreKitConfigurationError.self) { try read(subscription(#""billingPlans": [7]"#)) }
  }

  @Test(
    arguments: [
      (
        #"{"paymentMode": "none", "displayPrice": "", "subscriptionPeriod": "P1M"}"#,
        #".paymentMode: found "none", expected "free" or "payAsYouGo" or "payUpFront"."#
      ),
      (
        #"{"paymentMode": "payAsYouGo", "displayPrice": "", "subscriptionPeriod": "P1M"}"#,
        #".displayPrice: found "", expected a price"#
      ),
      (#"{"paymentMode": "free"}"#, ".subscriptionPeriod: found nothing, expected a period"),
      ("{}", ".paymentMode: found nothing, expected a string."),
      ("7", ": found the number 7.0, expected an object."),
      (
        #"{"paymentMode": "free", "subscriptionPeriod": "P1D", "numberOfPeriods": 0}"#,
        ".numberOfPeriods: found the number 0.0, expected a whole number from 1 to 1000."
      ),
      (
        #"{"paymentMode": "free", "subscriptionPeriod": "P999M", "numberOfPeriods": 1000}"#,
        ".numberOfPeriods: found the number 1000.0, expected a whole number from 1 to 1000."
      ),
    ] as [(String, String)])
  func `an incomplete offer is ignored with a remark`(_ offer: String, _ reason: String) throws {
    let whole = #"{"offerID": "w", "paymentMode": "free", "subscriptionPeriod": "P1W"}"#
    let places = [
      "introductoryOffer": offer, "introductoryOffers": "[\(offer)]", "adHocOffers": "[\(offer), \(whole)]",
      "promotionalOffers": "[\(offer), \(whole)]", "winbackOffers": "[\(offer), \(whole)]",
    ]
    for (member, value) in places {
      let configuration = try read(subscription("\"\(member)\": \(value)"))
      let found = try #require(configuration.catalogue["s"]?.subscription)
      #expect(found.introductoryOffer == nil)
      let others = (found.promotionalOffers + found.winBackOffers).map(\.offerID)
      #expect(others == (member.hasPrefix("introductory") ? [] : ["w"]))
      #expect(configuration.remarks.count == 1)
      let remark = try #require(configuration.remarks.first)
      #expect(remark.contains(".\(member)") && remark.contains(reason) && remark.hasSuffix("The offer is left out."))
    }
  }

  @Test func `the first complete introductory offer is used`() throws {
    let configuration = try read(
      subscription(
        #""introductoryOffers": [{"paymentMode": "none"}, {"paymentMode": "payAsYouGo", "displayPrice": "1", "subscriptionPeriod": "P2M", "numberOfPeriods": 3}]"#
      ))
    let offer = try #require(configuration.catalogue["s"]?.subscription?.introductoryOffer)
    #expect(offer.numberOfPeriods == 3 && offer.period == .month(2) && offer.duration == .month(6))
    #expect(configuration.remarks.count == 1)
  }

  @Test func `every setting of a StoreKit file is read`() throws {
    let settings = try read(
      """
      {"products": [], "settings": {"_storefront": "JPN", "_locale": "ja_JP", "_failTransactionsEnabled": true, "_askToBuyEnabled": true,
        "_interruptedPurchasesEnabled": true, "_disableDialogs": true, "_billingGracePeriodEnabled": true,
        "_billingIssuesEnabled": true, "_timeRate": 15, "_storeKitErrors": [
          {"name": "Load Products", "enabled": true, "current": {"type": "generic", "index": 0}},
          {"name": "Purchase", "enabled": false, "current": null},
          {"name": "App Store Sync", "enabled": true, "current": null}]}}
      """
    ).settings
    #expect(settings.storefront?.currencyCode == "JPY")
    #expect(settings.locale == "ja_JP")
    #expect(settings.failTransactionsEnabled && settings.askToBuyEnabled && settings.interruptedPurchasesEnabled)
    #expect(settings.disableDialogs && settings.billingGracePeriodEnabled && settings.renewalBillingIssuesEnabled)
    #expect(settings.timeRate == .monthlyRenewalEveryThirtySeconds)
    #expect(settings.errors.map(\.name) == ["Load Products", "App Store Sync"])
    let onside = OnsideSettings(settings)
    #expect(onside[.loadProducts].error == "connectionError")
    #expect(onside[.restore].error == "internalError")
    #expect(onside.storefront == "JP")
  }

  @Test func `an unknown time rate gives a remark and means real time`() throws {
    let configuration = try read(#"{"products": [], "settings": {"_timeRate": 77}}"#)
    #expect(configuration.settings.timeRate == .realTime)
    #expect(
      configuration.remarks == [
        "$.settings._timeRate: 77 is not a known time rate. Subscriptions renew in real time."
      ])
  }

  @Test(arguments: [
    (#"{"products": {}}"#, "$.products: found an object, expected an array."),
    (
      #"{"products": [{"type": "Consumable", "productID": 7, "displayPrice": "1"}]}"#,
      "$.products[0].productID: found the number 7.0, expected a string."
    ),
    (
      #"{"products": [{"type": "Consumable", "productID": "", "displayPrice": "1"}]}"#,
      #"$.products[0].productID: found "", expected a string that is not empty."#
    ),
    (
      #"{"products": [{"type": "Bundle", "productID": "a", "displayPrice": "1"}]}"#,
      #"$.products[0].type: found "Bundle", expected "Consumable" or "NonConsumable" or "NonRenewingSubscription"."#
    ),
    (
      #"{"products": [], "settings": {"_askToBuyEnabled": 1}}"#,
      "$.settings._askToBuyEnabled: found the number 1.0, expected true or false."
    ),
    (
      #"{"products": [], "settings": {"_storefront": "ZZZ"}}"#,
      #"$.settings._storefront: found "ZZZ", expected an ISO 3166-1 alpha-3 country code such as "NLD"."#
    ),
    (
      #"{"subscriptionGroups": [{"id": "G", "subscriptions": [{"productID": "s", "displayPrice": "1", "recurringSubscriptionPeriod": "1M"}]}]}"#,
      #"$.subscriptionGroups[0].subscriptions[0].recurringSubscriptionPeriod: found "1M", expected a period such as "P1W", "P1M" or "P1Y"."#
    ),
    (
      #"{"products": [{"type": "Consumable", "productID": "a", "displayPrice": "1"}, {"type": "Consumable", "productID": "a", "displayPrice": "1"}]}"#,
      #"$.products[1].productID: found "a", expected an identifier other than that of $.products[0]."#
    ),
    (
      #"{"subscriptionGroups": [{"id": "G", "subscriptions": []}, {"id": "G", "subscriptions": []}]}"#,
      #"$.subscriptionGroups[1].id: found "G", expected an identifier other than that of $.subscriptionGroups[0]."#
    ),
    (
      #"{"products": [{"type": "Consumable", "productID": "a", "displayPrice": "1", "localizations": [{"locale": "de"}, {"locale": "de"}]}]}"#,
      #"$.products[0].localizations[1].locale: found "de", expected an identifier other than that of $.products[0].localizations[0]."#
    ),
    (
      #"{"subscriptionGroups": [{"id": "G", "subscriptions": [{"productID": "s", "displayPrice": "1", "recurringSubscriptionPeriod": "P1M", "adHocOffers": [{"offerID": "o"}], "winbackOffers": [{"offerID": "o"}]}]}]}"#,
      #"$.subscriptionGroups[0].subscriptions[0].winbackOffers[0].offerID: found "o", expected an identifier other than that of $.subscriptionGroups[0].subscriptions[0].adHocOffers[0]."#
    ),
    ("[]", "$: found another JSON value, expected the JSON object of an Xcode StoreKit configuration."),
  ])
  func `the error about a StoreKit file names the place and what was expected`(_ text: String, _ expected: String) {
    #expect(error(text) == expected)
  }

  @Test(arguments: ["1,99", "-1", "1.", ".5", "1e3", "€1", "1.1.1", "", "1 000", "1234567890123", "0.1234567", "０"])
  func `a price that is not a plain decimal number is refused`(_ price: String) {
    let text = #"{"products": [{"type": "Consumable", "productID": "a", "displayPrice": "\#(price)"}]}"#
    #expect(error(text).hasPrefix("$.products[0].displayPrice: found \"\(price)\", expected a price"))
  }

  @Test func `text that is not JSON, too deep or too long is refused`() {
    #expect(error("{").hasPrefix("$: found text that cannot be read"))
    #expect(error(String(repeating: "[", count: 100_000)).hasPrefix("$: found text that cannot be read"))
    #expect(error(String(repeating: " ", count: StoreKitConfiguration.maximumSize + 1)).contains("expected at most"))
  }
}
