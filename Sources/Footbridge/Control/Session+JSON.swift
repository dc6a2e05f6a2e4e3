import BridgeCore
import BridgeRuntime

extension Session {
  /// The session as the control API tells it.
  var json: JSONValue {
    let onside = onside
    return [
      "id": .string(id),
      "name": profile.name.map { .string($0) } ?? .null,
      "account": onside.account.map { .string($0.id) } ?? .null,
      "storefront": .string(onside.account?.countryCode ?? onside.settings.storefront),
      "platform": .string(platform.rawValue),
      "onsideContract": .string(onside.settings.contract.rawValue),
      "present": .string(sheets.mode.rawValue),
      "today": ["signedIn": .bool(today.host.tokens.isSignedIn)],
      "pages": .array(pages.map(\.json)),
      "openSheets": .number(Double(sheets.open.count)),
      "unfinishedTransactions": .number(Double(onside.defaultPaymentQueue().transactions.count)),
      "clock": clock.json,
      "scenario": profile.scenario.map { .string($0) } ?? .null,
    ]
  }
}

extension Page {
  /// The page as the control API tells it.
  var json: JSONValue {
    [
      "id": .string(id), "url": document.map { .string($0.url) } ?? .null,
      "listening": .bool(isListening),
    ]
  }
}

extension SessionSheets.OpenSheet {
  /// The sheet as the control API tells it.
  var json: JSONValue {
    [
      "id": .string(sheet.id), "kind": .string(sheet.kind), "content": .object(sheet.content),
      "openedAt": .string(openedAt.rfc3339),
    ]
  }
}
