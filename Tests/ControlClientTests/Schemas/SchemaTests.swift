import BridgeCore
import ControlClient
import Testing

@Suite struct SchemaTests {
  private func schema(_ text: String, components: String = "{}") throws -> Schema {
    Schema(try JSONValue(parsing: text), in: try JSONValue(parsing: "{\"components\":{\"schemas\":\(components)}}"))
  }

  private func problems(_ value: String, _ text: String, components: String = "{}") throws -> [String] {
    try schema(text, components: components).problems(of: try JSONValue(parsing: value)).map(\.description)
  }

  @Test func `the error about a wrong value says which type and range are right`() throws {
    let number = #"{"type":"object","properties":{"n":{"type":"integer","minimum":0,"maximum":9}}}"#
    #expect(try problems(#"{"n":5}"#, number) == [])
    #expect(try problems(#"{"n":"5"}"#, number) == [#"n must be a whole number from 0 to 9, not "5"."#])
    #expect(try problems(#"{"n":10}"#, number) == ["n must be a whole number from 0 to 9, not 10."])
    #expect(try problems(#"{"n":1.5}"#, number).count == 1)
  }

  @Test func `the error about an unknown member names the nearest one and all others`() throws {
    let closed = #"{"type":"object","properties":{"frozen":{"type":"boolean"}},"additionalProperties":false}"#
    #expect(
      try problems(#"{"frozzen":true}"#, closed)
        == ["The body has no member frozzen; did you mean frozen? It takes: frozen."])
    #expect(try problems(#"{"xyz":true}"#, closed) == ["The body has no member xyz. It takes: frozen."])
  }

  @Test func `the error about a missing member names it and its type`() throws {
    let needs = #"{"type":"object","properties":{"on":{"type":"string"}},"required":["on"]}"#
    #expect(try problems("{}", needs) == ["The body needs the member on, a text."])
  }

  @Test func `references are followed, and keywords beside them are checked too`() throws {
    let components = #"{"Base":{"type":"object","properties":{"a":{"type":"string"}},"required":["a"]}}"#
    let child = ##"{"$ref":"#/components/schemas/Base","properties":{"b":{"type":"null"}},"required":["b"]}"##
    #expect(try problems(#"{"a":"x","b":null}"#, child, components: components) == [])
    #expect(try problems("{}", child, components: components).count == 2)
  }

  @Test func `the error about oneOf is that of the nearest alternative`() throws {
    let either = #"""
      {"oneOf":[{"type":"string","enum":["once","always"]},
       {"type":"object","properties":{"nth":{"type":"integer"}},"required":["nth"],"additionalProperties":false}]}
      """#
    #expect(try problems(#""once""#, either) == [])
    #expect(try problems(#"{"nth":2}"#, either) == [])
    #expect(try problems(#"{"nth":"2"}"#, either) == [#"nth must be a whole number, not "2"."#])
    #expect(try problems(#""twice""#, either) == [#"The body must be one of: once, always, not "twice"."#])
  }

  @Test func `patterns, lengths, lists and numbers of members are checked`() throws {
    #expect(try problems(#""ab""#, #"{"type":"string","pattern":"^[a-z]+$"}"#) == [])
    #expect(try problems(#""AB""#, #"{"type":"string","pattern":"^[a-z]+$"}"#).count == 1)
    #expect(try problems(#""abc""#, #"{"type":"string","maxLength":2}"#).count == 1)
    #expect(try problems(#"[1,"x"]"#, #"{"type":"array","items":{"type":"integer"}}"#).count == 1)
    #expect(try problems("[]", #"{"type":"array","minItems":1}"#).count == 1)
    #expect(try problems("{}", #"{"type":"object","properties":{"a":{}},"minProperties":1}"#).count == 1)
    #expect(try problems(#"{"a":1,"b":2}"#, #"{"type":"object","maxProperties":1}"#).count == 1)
  }

  @Test func `a standalone schema includes all schemas that it refers to`() throws {
    let components = ##"{"Node":{"type":"object","properties":{"next":{"$ref":"#/components/schemas/Node"}}}}"##
    let node = try schema(##"{"$ref":"#/components/schemas/Node"}"##, components: components).standalone
    #expect(node["$ref"] == "#/$defs/Node")
    #expect(node["$defs"]?["Node"]?["properties"]?["next"]?["$ref"] == "#/$defs/Node")
  }

  @Test func `a schema that refers to itself does not loop`() throws {
    let loop = ##"{"$ref":"#/components/schemas/Loop"}"##
    #expect(try problems("1", loop, components: "{\"Loop\":\(loop)}") == [])
  }
}
