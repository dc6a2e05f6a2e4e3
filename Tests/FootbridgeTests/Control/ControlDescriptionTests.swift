import BridgeCore
import BridgeRuntime
import OnsideKit
import Testing

@testable import BridgeServer
@testable import Footbridge
@testable import OnsideServer
@testable import Sessions
@testable import SiteServer

/// Compares the OpenAPI document with the code that it describes.
@Suite @BridgeActor struct ControlDescriptionTests {
  private let routes: [ControlRoute]
  private let description: JSONValue

  init() throws {
    let file = try #require(EmbeddedFile.all[DescriptionRoutes.path])
    description = try JSONValue(parsing: file.bytes)
    let clock = SystemBridgeClock()
    let context = ControlContext(
      launches: Launches(LaunchData()), entryCodes: OneTimeCodes(clock: clock, random: BridgeRandom()),
      dashboard: DashboardAccess(clock: clock), failedSessions: FailedSessions(clock: clock))
    routes = ControlAPI.routes(of: BridgeList(), context)
  }

  /// Each operation, by its method and path.
  private var operations: [String: JSONValue] {
    var operations: [String: JSONValue] = [:]
    for (path, methods) in description["paths"]?.objectValue ?? [:] {
      for (method, operation) in methods.objectValue ?? [:] { operations["\(method.uppercased()) \(path)"] = operation }
    }
    return operations
  }

  /// The schema of a `$ref` or a name.
  private func resolve(_ reference: String) -> JSONValue? {
    reference.split(separator: "/").dropFirst().reduce(.some(description)) { $0?[String($1)] }
  }

  private func schema(_ name: String) -> JSONValue? { resolve("#/components/schemas/\(name)") }

  private func words(_ schema: JSONValue?) -> Set<String> {
    Set(schema?["enum"]?.arrayValue?.compactMap(\.stringValue) ?? [])
  }

  @Test func `the API description has exactly the routes of the API`() {
    #expect(Set(operations.keys) == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
    #expect(description["servers"]?.arrayValue == [["url": .string(ControlAPI.base)]])
    #expect(description["openapi"] == "3.1.0")
  }

  @Test func `each operation has a unique id and declares its path variables`() {
    let names = operations.values.compactMap { $0["operationId"]?.stringValue }
    #expect(Set(names).count == operations.count)
    for (name, operation) in operations {
      let declared = (operation["parameters"]?.arrayValue ?? []).compactMap { parameter in
        parameter["$ref"]?.stringValue.flatMap { resolve($0) } ?? parameter
      }
      let inPath = declared.filter { $0["in"] == "path" }.compactMap { $0["name"]?.stringValue }
      let wanted = name.split(separator: "/").filter { $0.hasPrefix("{") }.map { String($0.dropFirst().dropLast()) }
      #expect(inPath == wanted, "\(name)")
    }
  }

  @Test func `each route accepts exactly the query parameters of its description`() {
    for route in routes {
      let parameters = operations["\(route.method.rawValue) \(route.path)"]?["parameters"]?.arrayValue ?? []
      let declared = parameters.map { parameter in
        parameter["$ref"]?.stringValue.flatMap { resolve($0) } ?? parameter
      }
      let names = declared.filter { $0["in"] == "query" }.compactMap { $0["name"]?.stringValue }
      #expect(Set(names) == Set(route.query), "\(route.path)")
    }
  }

  @Test func `each reference of the API description resolves, and each component is used`() {
    var references: Set<String> = []
    func collect(_ value: JSONValue) {
      if let reference = value["$ref"]?.stringValue { references.insert(reference) }
      for member in value.objectValue?.values.map({ $0 }) ?? value.arrayValue ?? [] { collect(member) }
    }
    collect(description)
    for reference in references { #expect(resolve(reference) != nil, "\(reference)") }
    for kind in ["parameters", "responses", "schemas"] {
      for name in description["components"]?[kind]?.objectValue?.keys.map({ $0 }) ?? [] {
        #expect(references.contains("#/components/\(kind)/\(name)"), "\(name) is used by nothing")
      }
    }
  }

  @Test func `the enumerations of the API description are those of the code`() {
    #expect(words(schema("JournalEntry")?["properties"]?["kind"]) == Set(JournalEntry.Kind.allCases.map(\.rawValue)))
    #expect(words(schema("Sheet")?["properties"]?["kind"]) == Set(BridgeList().makeTable().sheetKinds))
    #expect(words(schema("Outcome")?["properties"]?["status"]) == Set(BridgeResponseStatus.allCases.map(\.rawValue)))
    #expect(words(schema("NewSession")?["properties"]?["platform"]) == Set(Platform.allCases.map(\.rawValue)))
    #expect(words(schema("NewSession")?["properties"]?["present"]) == Set(PresentationMode.allCases.map(\.rawValue)))
    let contracts = words(schema("NewSession")?["properties"]?["onsideContract"])
    #expect(contracts == Set(OnsideContract.allCases.map(\.rawValue)))
    let rates = schema("SettingsChange")?["properties"]?["timeRate"]?["enum"]?.arrayValue?.compactMap(\.numberValue)
    #expect(rates == StoreKitTimeRate.allCases.map { Double($0.rawValue) })
  }

  /// The names of the members that an object of this schema can have, and of those that it must have.
  private func names(_ name: String) -> (possible: Set<String>, required: Set<String>) {
    let schema = schema(name)
    let required = schema?["required"]?.arrayValue?.compactMap(\.stringValue) ?? []
    return (Set((schema?["properties"]?.objectValue ?? [:]).keys), Set(required))
  }

  @Test func `the API description has exactly the settings of the store`() {
    let fields = Set(OnsideSetting.allCases.map(\.rawValue) + [OnsideCallBehaviour.settingsName])
    #expect(Set((OnsideSettings().json.objectValue ?? [:]).keys) == fields)
    #expect(names("Settings") == (fields, fields))
    #expect(names("SettingsChange") == (fields, []))
  }

  @Test func `the API description has exactly the members of seeded purchases and transactions`() {
    #expect(names("NewPurchase") == (Set(OnsideMember.ofSeededPurchase.map(\.rawValue)), ["product"]))
    let alternatives = schema("NewTransaction")?["oneOf"]?.arrayValue ?? []
    let members = alternatives.flatMap { ($0["properties"]?.objectValue ?? [:]).keys }
    #expect(Set(members) == Set(OnsideMember.ofSeededTransaction.map(\.rawValue)))
  }

  @Test func `the API description has each call of the store with its error cases`() {
    let calls = schema("SettingsChange")?["properties"]?["calls"]?["properties"]?.objectValue ?? [:]
    #expect(Set(calls.keys) == Set(OnsideCall.allCases.map(\.rawValue)))
    for call in OnsideCall.allCases {
      let behaviour = calls[call.rawValue]?["$ref"]?.stringValue.flatMap { resolve($0) }
      #expect(words(behaviour?["properties"]?["error"]) == Set(call.errorCases), "\(call)")
      let fields = Set((behaviour?["properties"]?.objectValue ?? [:]).keys)
      #expect(fields == Set(OnsideCallBehaviour.Field.allCases.map(\.rawValue)), "\(call)")
    }
  }
}
