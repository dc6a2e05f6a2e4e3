import InAppPurchases
import BridgeCore
import BridgeRuntime

/// The values of the store in words that no vendor owns.
extension InAppProduct {
  /// The product; nil if the catalogue does not have it any more.
  @BridgeActor
  init?(_ product: OnsideProduct, in onside: Onside) {
    guard let entry = onside.catalogue[product.productIdentifier] else { return nil }
    let locale = onside.settings.locale
    func offer(_ offer: CatalogueOffer) -> InAppOffer {
      let price = OnsidePrice(value: offer.price, currencyCode: product.price.currencyCode)
      return InAppOffer(
        id: offer.offerID, mode: InAppOffer.Mode(offer.paymentMode), price: InAppPrice(price, locale),
        period: InAppPeriod(offer.period), periodCount: offer.numberOfPeriods)
    }
    self.init(
      id: product.productIdentifier, kind: Kind(entry.type), title: product.localizedTitle,
      description: product.localizedDescription, price: InAppPrice(product.price, locale),
      isFamilyShareable: entry.isFamilyShareable,
      subscription: entry.subscription.map { terms in
        let account = onside.account?.id
        let group = terms.groupIdentifier
        let isNew = account.map { onside.isNewSubscriber($0, of: group) } ?? true
        return Subscription(
          group: group, level: terms.groupNumber, period: InAppPeriod(terms.period),
          introductoryOffer: terms.introductoryOffer.map(offer),
          isEligibleForIntroductoryOffer: terms.introductoryOffer != nil && isNew,
          promotionalOffers: terms.promotionalOffers.map(offer), winBackOffers: terms.winBackOffers.map(offer),
          hasBeenSubscribed: !isNew,
          isSubscribed: onside.ledger.subscriptions.contains {
            $0.accountID == account && $0.groupIdentifier == group
          })
      })
  }
}

extension InAppProduct.Kind {
  fileprivate init(_ type: CatalogueProductType) {
    self =
      switch type {
      case .consumable: .consumable
      case .nonConsumable: .nonConsumable
      case .nonRenewingSubscription: .nonRenewingSubscription
      case .recurringSubscription: .recurringSubscription
      }
  }
}

extension InAppPrice {
  fileprivate init(_ price: OnsidePrice, _ locale: String) {
    self.init(
      value: price.doubleValue, currencyCode: price.currencyCode,
      fractionDigits: Currency.exponent(of: price.currencyCode), locale: locale)
  }
}

extension InAppPeriod {
  fileprivate init(_ period: OnsidePeriod) {
    let unit: Unit =
      switch period {
      case .day: .day
      case .week: .week
      case .month: .month
      case .year: .year
      }
    self.init(unit: unit, count: period.numberOfUnits)
  }
}

extension InAppOffer.Mode {
  fileprivate init(_ mode: CatalogueOffer.PaymentMode) {
    self =
      switch mode {
      case .free: .free
      case .payAsYouGo: .payAsYouGo
      case .payUpFront: .payUpFront
      }
  }
}

extension InAppTransaction {
  /// The order as the account that is signed in has it.
  @BridgeActor
  init(_ order: OnsidePurchase, in onside: Onside) {
    func time(_ milliseconds: Double) -> BridgeInstant {
      BridgeInstant(millisecondsSinceEpoch: milliseconds.rounded(.down))
    }
    let subscription = onside.ledger.subscriptions.first { $0.orderID == order.id }
    let isShared = onside.account.map { $0.id != order.accountID } ?? false
    self.init(
      id: order.id, originalID: order.originalID, productID: order.productIdentifier,
      kind: InAppProduct.Kind(order.type), price: InAppPrice(order.price, onside.settings.locale),
      country: order.countryCode, appAccountToken: isShared ? nil : order.appAccountToken,
      isRenewal: order.reason == .renewal, isShared: isShared,
      isFinished: !onside.defaultPaymentQueue().entries.contains {
        $0.isUnfinishedPurchase && $0.transaction.transactionIdentifier == order.id
      },
      purchasedAt: time(order.purchasedAt), originalPurchasedAt: time(order.originalPurchasedAt),
      expiresAt: order.expiresAt.map(time), revokedAt: order.revokedAt.map(time),
      revocationReason: order.revocationReason,
      subscription: subscription.map { subscription in
        let grace = subscription.isInBillingRetry ? onside.gracePeriod(of: subscription) : 0
        let offer = subscription.presentOffer(order, in: onside.catalogue)
        return Subscription(
          group: subscription.groupIdentifier, isActive: onside.launch.isActive(subscription),
          renews: subscription.renewsAutomatically, nextProductID: subscription.nextProductIdentifier,
          isInBillingRetry: subscription.isInBillingRetry,
          graceEndsAt: grace > 0 ? order.expiresAt.map { time($0 + grace) } : nil,
          offerMode: offer.map { InAppOffer.Mode($0.paymentMode) },
          isIntroductory: offer != nil && offer?.offerID == nil,
          offerID: offer?.offerID)
      })
  }
}

extension InAppNotice.Kind {
  /// `isOwn` says whether the account itself has bought the order.
  init(_ change: OnsideLedgerChange, isOwn: Bool) {
    self =
      switch change.kind {
      case .oneTimeCharge, .subscribed: .purchased
      case .renewed: .renewed
      case .expired: .expired
      case .renewalFailed: .renewalFailed
      case .renewalStatusChanged: .renewalChanged
      case .renewalProductChanged:
        change.order.reason == .purchase && change.subtype == "UPGRADE" ? .purchased : .renewalChanged
      case .priceIncreased: .priceIncreased
      case .refunded: isOwn ? .refunded : .revoked
      case .revoked: .revoked
      }
  }
}

extension InAppError {
  init(products error: OnsideProductsRequestError) {
    self = Self.ofServer(error.rawValue, "The products could not be loaded")
  }

  init(restore error: OnsideTransactionsRestoreError) {
    self = Self.ofServer(error.rawValue, "The purchases could not be restored")
  }

  init(history error: OnsideSignedInAppsHistoryRequestError) {
    self =
      error == .notLoggedIn
      ? InAppError(.notSignedIn, "Nobody is signed in.")
      : Self.ofServer(error.rawValue, "The history could not be loaded")
  }

  init(payment error: OnsidePaymentTransactionError?) {
    self =
      error == .presentationFailed
      ? InAppError(.failed, "The purchase could not be shown.")
      : InAppError(.cancelled, "The purchase was cancelled.")
  }

  init(purchase error: JSPurchaseError) {
    self =
      switch error {
      case .unknownProduct: InAppError(.unknownProduct, "The product is unknown.")
      case .loginDiscarded: .loginDismissed
      case .rejectedAfterLogin: .rejectedAfterLogin
      }
  }

  init(offer error: OnsideOfferError) {
    switch error {
    case .unknown(let offer, let product, let known):
      let error = OnsideOfferError.unknown(String(offer.prefix(100)), product: product, known: known)
      self.init(.unknownOffer, error.description)
    case .forSubscribers, .forFormerSubscribers: self.init(.notEligible, error.description)
    }
  }

  /// The session has reached a limit.
  init(limit reason: String) { self.init(.limit, "This session has reached its limit of \(reason).") }

  static let loginDismissed = InAppError(.cancelled, "The person has dismissed the login.")
  static let rejectedAfterLogin = InAppError(.rejected, "The app has refused to go on after the login.")

  /// The error of a call to the store's servers. The words for it are the same in all calls.
  private static func ofServer(_ name: String, _ what: String) -> InAppError {
    switch name {
    case "cancelled": InAppError(.cancelled, "\(what): it was cancelled.")
    case "connectionError": InAppError(.network, "\(what): the network has failed.")
    case "serviceUnavailable": InAppError(.unavailable, "\(what): the store does not answer.")
    default: InAppError(.failed, "\(what).")
    }
  }
}
