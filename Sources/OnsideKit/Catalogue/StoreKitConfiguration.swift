import BridgeCore
public import Essentials

/// Xcode's StoreKit configuration (a `.storekit` file): the catalogue and the settings of local testing.
///
/// Format versions 1 to 4 are known. A later one is read by the same rules: keys that are not known have no effect, a value of the wrong
/// type is an error.
public struct StoreKitConfiguration: Sendable {
  /// The products.
  public let catalogue: Catalogue
  /// The settings.
  public let settings: StoreKitSettings
  /// What is well-formed but has no effect, for people.
  public let remarks: [String]

  /// The largest file that is read, in bytes.
  public static let maximumSize = 8 << 20

  /// Reads the text of a `.storekit` file.
  ///
  /// - Throws: ``StoreKitConfigurationError`` for a document that is too large, too deep, no JSON, another kind of JSON, or that has a value of
  ///   the wrong type, a price or period that cannot be read, or the same product identifier twice.
  public init(data: Data) throws(StoreKitConfigurationError) {
    let root = StoreKitNode(value: try Self.parse(data), path: "$")
    catalogue = Catalogue(products: try Self.products(of: root))
    var remarks: [String] = []
    settings = try Self.settings(of: try root.member("settings"), remarks: &remarks)
    self.remarks = remarks
  }

  /// Where products can be. Xcode writes them all, even into a file without products: a JSON file that has none of them is another one.
  private static let catalogueMembers = ["products", "nonRenewingSubscriptions", "subscriptionGroups"]

  private static func parse(_ data: Data) throws(StoreKitConfigurationError) -> JSONValue {
    func failure(_ expected: String, found: String) -> StoreKitConfigurationError {
      StoreKitConfigurationError(path: "$", expected: expected, found: found)
    }
    guard data.count <= maximumSize else {
      throw failure("at most \(maximumSize) bytes", found: "\(data.count) bytes")
    }
    let value: JSONValue
    do throws(JSONError) {
      value = try JSONValue(parsing: data)
    } catch {
      throw failure("the JSON object of an Xcode StoreKit configuration", found: "text that cannot be read (\(error))")
    }
    guard case .object(let members) = value else {
      throw failure("the JSON object of an Xcode StoreKit configuration", found: "another JSON value")
    }
    guard catalogueMembers.contains(where: { members[$0] != nil }) else {
      let names = catalogueMembers.joined(separator: ", ")
      throw failure("an Xcode StoreKit configuration, with \(names)", found: "an object with none of its members")
    }
    return value
  }
}

/// A mistake in a `.storekit` file. The reader of the file adds its name.
public struct StoreKitConfigurationError: Error, Sendable, Hashable, CustomStringConvertible {
  /// Where in the document, such as `$.products[2].displayPrice`; `$` is the document itself.
  public let path: String
  /// What was expected there, such as `a string`.
  public let expected: String
  /// What was there instead, such as `a number`.
  public let found: String

  /// A sentence for people: where, what was found and what to write instead.
  public var description: String { "\(path): found \(found), expected \(expected)." }
}
