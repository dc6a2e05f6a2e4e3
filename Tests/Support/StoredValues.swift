import Foundation
import OnsideKit

@testable import Sessions

/// A suite that stores sessions, orders and transactions.
protocol StoredValues {}

extension StoredValues {
  func state(locale: String) -> OnsideState {
    var settings = OnsideSettings()
    settings.locale = locale
    return OnsideState(settings: settings)
  }

  func change(_ key: String, _ state: OnsideState?, former: OnsideState? = nil) -> SessionChange {
    SessionChange(
      key: key,
      former: former.map { SessionRecord([$0]) },
      record: state.map { SessionRecord([$0]) }
    )
  }

  func purchase(_ id: String, price: String = "1") throws -> OnsidePurchase {
    let text = """
      {"id":"\(id)","originalID":"\(id)","accountID":"a","productIdentifier":"coins","type":"Consumable",
      "price":{"value":"\(price)","currencyCode":"EUR"},"countryCode":"DE","reason":"PURCHASE","purchasedAt":1,
      "originalPurchasedAt":1}
      """
    return try JSONDecoder().decode(OnsidePurchase.self, from: Data(text.utf8))
  }

  /// A transaction whose id ends with a digit.
  func transaction(_ digit: String, stage: String = "queued") throws -> QueuedTransaction {
    let text = """
      {"transaction":{"id":"00000000-0000-4000-8000-00000000000\(digit)","payment":{"product":{"productIdentifier":"coins","localizedTitle":"",
      "localizedDescription":"","price":{"value":"1","currencyCode":"EUR"}}},"transactionState":"purchasing",
      "storefront":{"id":"s","countryCode":"DE"}},"accountID":"a","stage":"\(stage)","needsAnnouncement":false}
      """
    return try JSONDecoder().decode(QueuedTransaction.self, from: Data(text.utf8))
  }
}
