import BridgeCore
import Testing

@testable import DeclaredServer

struct PresetCustomersTests {
  @Test func `a new user gets what the anonymous one has bought, and the first id`() {
    var customers = PresetCustomers(anonymous: "anonymous-1", at: 10)
    customers.own("order-1")
    #expect(customers.isAnonymous)
    #expect(customers.logIn("eva", at: 20) == true)
    #expect(!customers.isAnonymous)
    #expect(customers.isOwn("order-1"))
    #expect((customers.present.original, customers.present.at) == ("anonymous-1", 10))
  }

  @Test func `a user who follows another begins with an id of their own, or with the given one`() {
    var customers = PresetCustomers(anonymous: "anonymous-1", at: 0)
    customers.logIn("eva", at: 0)
    customers.own("order-1")
    customers.logIn("adam", at: 5)
    #expect(!customers.isOwn("order-1"))
    #expect(customers.present.original == "adam")
    customers.logIn("ada", first: "profile-3", at: 6)
    #expect(customers.present.original == "profile-3")
    #expect(customers.logIn("eva", at: 9) == false)
    #expect(customers.isOwn("order-1"))
    #expect(customers.present.original == "anonymous-1")
  }

  @Test func `the user after a logout is anonymous and owns nothing`() {
    var customers = PresetCustomers(anonymous: "anonymous-1", at: 0)
    customers.logIn("eva", at: 0)
    customers.own("order-1")
    customers.logOut(anonymous: "anonymous-2", at: 1)
    #expect(customers.isAnonymous)
    #expect(customers.current == "anonymous-2")
    #expect(!customers.isOwn("order-1"))
  }

  @Test func `users and purchases over the limit are left out`() {
    var customers = PresetCustomers(anonymous: "anonymous-1", at: 0)
    for number in 0...PresetCustomers.limit {
      customers.logIn("user-\(number)", at: 0)
      customers.own("order-\(number)")
    }
    #expect(customers.seen.count == PresetCustomers.limit)
    #expect(customers.owners.count == PresetCustomers.limit)
    #expect(customers.current == "user-\(PresetCustomers.limit - 2)")
  }

  @Test func `stored customers are read again`() {
    var customers = PresetCustomers(anonymous: "anonymous-1", at: 3)
    customers.logIn("eva", at: 4)
    customers.own("order-1")
    #expect(PresetCustomers(customers.json) == customers)
    #expect(PresetCustomers([:]) == nil)
  }

  // MARK: The users of vendors

  @Test func `an attribute of a profile has the form that Adapty's SDK demands`() throws {
    var profiles = AdaptyProfiles(first: "profile-1", at: 0)
    try profiles.set(["team": "red", "level": 5])
    try profiles.set(["level": .null])
    #expect(profiles.ownAttributes == ["team": "red"])
    let wrong: [[String: JSONValue]] = [
      ["a b": 1], ["team": ""], ["team": .string(String(repeating: "x", count: 51))], ["team": true],
      Dictionary(uniqueKeysWithValues: (0...30).map { ("key\($0)", 1) }),
    ]
    for attributes in wrong {
      let error = #expect(throws: AdaptyError.self) { try profiles.set(attributes) }
      #expect(error?.code == 3001)
    }
    #expect(profiles.ownAttributes == ["team": "red"])
    #expect(AdaptyProfiles(profiles.json) == profiles)
  }

  @Test func `properties of Qonversion's users are theirs`() throws {
    var users = QonversionUsers(first: "1", at: 0)
    users.set("team", "red")
    try users.identify("eva", new: "2", at: 0)
    #expect(users.json == ["qonversionId": "QON_1", "identityId": "eva"])
    #expect(users.ownProperties == [])
    users.set("team", "blue")
    users.set("long", String(repeating: "x", count: 5000))
    #expect(users.ownProperties == [["key": "team", "value": "blue"]])
    users.logOut(new: "3", at: 1)
    #expect(users.json == ["qonversionId": "QON_3"])
    #expect(throws: QonversionError.self) { try users.identify("", new: "4", at: 2) }
    #expect(QonversionUsers(users.stored) == users)
  }
}
