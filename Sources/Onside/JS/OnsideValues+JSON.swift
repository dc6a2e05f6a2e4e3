import BridgeCore

/// An object without the members that are nil: `undefined` is an absent key.
private func object(_ members: [String: JSONValue?]) -> JSONValue { .object(members.compactMapValues { $0 }) }

extension OnsidePrice {
  /// The contract's `JSPrice`.
  var json: JSONValue { ["value": .number(doubleValue), "currencyCode": .string(currencyCode)] }
}

extension OnsidePeriod {
  /// The contract's `JSPeriod`.
  var json: JSONValue { ["unit": .string(unit), "numberOfUnits": .number(Double(numberOfUnits))] }
}

extension OnsidePricePeriod {
  /// The contract's `JSPricePeriod`.
  var json: JSONValue { ["price": price.json, "period": period.json] }
}

extension OnsideProduct {
  /// The contract's `JSProduct`.
  var json: JSONValue {
    object([
      "productIdentifier": .string(productIdentifier),
      "localizedTitle": .string(localizedTitle),
      "localizedDescription": .string(localizedDescription),
      "iconUrl": iconURL.map { .string($0) },
      "subscriptionGroupIdentifier": subscriptionGroupIdentifier.map { .string($0) },
      "subscriptionPeriod": subscriptionPeriod?.json,
      "price": price.json,
      "introductoryPrice": introductoryPrice?.json,
      "discountedPrice": discountedPrice?.json,
    ])
  }
}

extension OnsideStorefront {
  /// The contract's `JSStorefront`.
  var json: JSONValue { ["id": .string(id), "countryCode": .string(countryCode)] }
}

extension OnsidePayment {
  /// The contract's `JSPayment`.
  var json: JSONValue { object(["product": product.json, "appAccountToken": appAccountToken.map { .string($0) }]) }
}

extension OnsidePaymentTransaction {
  /// The contract's `JSPaymentTransaction`.
  var json: JSONValue {
    object([
      "id": .string(id),
      "transactionIdentifier": transactionIdentifier.map { .string($0) },
      "originalTransactionIdentifier": originalTransactionIdentifier.map { .string($0) },
      "payment": payment.json,
      "transactionState": .string(transactionState.rawValue),
      "storefront": storefront.json,
      "error": error.map { [$0.rawValue: [:]] },
    ])
  }
}
